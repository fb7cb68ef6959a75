/** Validation of the sign-in forms, by the page instead of the browser. */
import { useTranslation } from 'react-i18next'

/** The server has the same bound. */
const PASSWORD_MIN = 8
/** As browsers check it, but for the length; only a mail can prove that an address exists. */
const EMAIL = /^[^\s@]+@[^\s@]+$/

export type FieldCheck = (value: string) => string | null

/** Checks for `useForm`: null where a value is acceptable, else a sentence in the language shown. */
export function useFieldChecks() {
  const { t } = useTranslation('session')
  const needed =
    (words: string, check: FieldCheck = () => null): FieldCheck =>
    (value) =>
      value.trim() === '' ? words : check(value)
  return {
    name: needed(t('check.name')),
    code: needed(t('check.code')),
    email: needed(t('check.email'), (value) => (EMAIL.test(value.trim()) ? null : t('check.email_form'))),
    password: needed(t('check.password')),
    newPassword: (value: string) => (value.length < PASSWORD_MIN ? t('check.new_password', { count: PASSWORD_MIN }) : null),
  }
}

/** Puts the cursor into the first field that was refused. */
export function focusFirst(form: { getInputNode: (name: string) => HTMLElement | null }, errors: object): void {
  const [first] = Object.keys(errors)
  if (first) form.getInputNode(first)?.focus()
}

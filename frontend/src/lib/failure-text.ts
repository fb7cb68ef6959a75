import { useTranslation } from 'react-i18next'

/** Why a job, trial or study failed, in the words of the server: in English. */
export interface Failure {
  code: string
  message: string
  hint: string
}

export interface FailureText extends Failure {
  /** The server's own sentence where another is shown: it may name a file or a number. */
  detail: string
}

/** Says a failure in the language that is shown; codes that the dictionary does not know keep the server's sentence. */
export function useFailureText(): (failure: Failure) => FailureText {
  const { t, i18n } = useTranslation('jobs')
  return ({ code, message, hint }) => {
    if (!i18n.exists(`jobs:failure.${code}.message`)) return { code, message, hint, detail: '' }
    return { code, message: t(`failure.${code}.message`), hint: t(`failure.${code}.hint`), detail: message }
  }
}

/** Says a job's warning in the language that is shown, or in the words of the server: in English. */
export function useWarningText(): (warning: { code: string; message: string }) => string {
  const { t, i18n } = useTranslation('jobs')
  return ({ code, message }) => (i18n.exists(`jobs:warning.${code}`) ? t(`warning.${code}`) : message)
}

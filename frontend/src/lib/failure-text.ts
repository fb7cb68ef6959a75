import { useTranslation } from 'react-i18next'

import { languageOf } from '../i18n/item-words'

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

/**
 * Words a failure in the language of the page. A job may also end with the code of a refusal, which has its words in `refusals`;
 * unknown codes keep the server's sentence.
 */
export function useFailureText(): (failure: Failure) => FailureText {
  const { t, i18n } = useTranslation(['jobs', 'refusals'])
  return ({ code, message, hint }) => {
    if (i18n.exists(`jobs:failure.${code}.message`)) {
      return { code, message: t(`jobs:failure.${code}.message`), hint: t(`jobs:failure.${code}.hint`), detail: message }
    }
    if (!i18n.exists(`refusals:${code}.title`) || languageOf(i18n.language) === 'en') return { code, message, hint, detail: '' }
    const hasHint = i18n.exists(`refusals:${code}.hint`)
    return { code, message: t(`refusals:${code}.title`), hint: hasHint ? t(`refusals:${code}.hint`) : '', detail: message }
  }
}

/** Says a job's warning in the language that is shown, or in the words of the server: in English. */
export function useWarningText(): (warning: { code: string; message: string }) => string {
  const { t, i18n } = useTranslation('jobs')
  return ({ code, message }) => (i18n.exists(`jobs:warning.${code}`) ? t(`warning.${code}`) : message)
}

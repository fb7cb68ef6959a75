/** Says a refusal in the language that is shown; codes that the dictionary does not know keep the server's English. */
import i18next from 'i18next'

import type { ApiError } from './api/errors'

export interface RefusalText {
  title: string
  detail: string
  hint: string
}

export function refusalText({ code, title, detail, hint }: ApiError): RefusalText {
  if (code === 'offline') return { title: i18next.t('common:error.offline'), detail: '', hint: '' }
  if (i18next.language !== 'en' && i18next.exists(`refusals:${code}.title`)) {
    return { title: i18next.t(`refusals:${code}.title`), detail: '', hint: i18next.t(`refusals:${code}.hint`) }
  }
  const shown = title || i18next.t('common:error.title')
  return { title: shown, detail: detail === shown || detail === `${shown}.` ? '' : detail, hint }
}

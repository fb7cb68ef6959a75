/** Says a refusal in the language that is shown; codes that the dictionary does not know keep the server's English. */
import { isLanguage, voice } from '../i18n/dialect'
import type { ApiError } from './api/errors'

export interface RefusalText {
  title: string
  detail: string
  hint: string
}

export function refusalText({ code, title, detail, hint }: ApiError): RefusalText {
  if (code === 'offline') return { title: voice().t('common:error.offline'), detail: '', hint: '' }
  const { language, exists, t } = voice()
  if (!isLanguage(language, 'en') && exists(`refusals:${code}.title`)) {
    return { title: t(`refusals:${code}.title`), detail: '', hint: t(`refusals:${code}.hint`) }
  }
  const shown = title || t('common:error.title')
  return { title: shown, detail: detail === shown || detail === `${shown}.` ? '' : detail, hint }
}

/** Says a refusal in the language that is shown; codes that the dictionary does not know keep the server's English. */
import i18next from 'i18next'

import { languageOf } from '../i18n/item-words'
import type { ApiError } from './api/errors'

export interface RefusalText {
  title: string
  detail: string
  hint: string
}

export function refusalText({ code, title, detail, hint }: ApiError): RefusalText {
  const { language, exists, t } = i18next
  if (code === 'offline') return { title: t('common:error.offline'), detail: '', hint: '' }
  if (exists(`refusals:${code}.title`) && languageOf(language) !== 'en') {
    return { title: t(`refusals:${code}.title`), detail: '', hint: t(`refusals:${code}.hint`) }
  }
  const shown = title || t('common:error.title')
  return { title: shown, detail: detail === shown || detail === `${shown}.` ? '' : detail, hint }
}

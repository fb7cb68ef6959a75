/**
 * Says a refusal in the language that is shown. The dictionary `refusals` has a title and a hint for each code, and a detail with
 * placeholders where the server names what it is about. What can also end a job, such as an export, has its words among the failures
 * of jobs. Other codes keep the server's English.
 */
import i18next from 'i18next'

import { languageOf } from '../i18n/item-words'
import type { ApiError, Param } from './api/errors'
import { textFor, type LocalText } from './local-text'

export interface RefusalText {
  title: string
  detail: string
  hint: string
}

const MAX_PROBLEMS = 5

export function refusalText(error: ApiError): RefusalText {
  const { exists, t } = i18next
  const { code } = error
  if (code === 'offline') return { title: t('common:error.offline'), detail: '', hint: '' }
  const detail = sentence(error, 'detail') ?? problemTexts(error, 'message')
  const isKnown = exists(`refusals:${code}.title`)
  if (isKnown && (detail !== null || languageOf(i18next.language) !== 'en')) {
    const hint = sentence(error, 'hint') ?? problemTexts(error, 'remedy') ?? ''
    return { title: t(`refusals:${code}.title`), detail: detail ?? '', hint }
  }
  if (exists(`jobs:failure.${code}.message`) && languageOf(i18next.language) !== 'en') {
    return { title: t(`jobs:failure.${code}.message`), detail: error.detail, hint: t(`jobs:failure.${code}.hint`) }
  }
  const title = error.title || t('common:error.title')
  return { title, detail: error.detail === title || error.detail === `${title}.` ? '' : error.detail, hint: error.hint }
}

/** The dictionary's sentence for a code; null where it has none, or the server did not send all that the sentence names. */
function sentence({ code, params: given }: ApiError, part: 'detail' | 'hint'): string | null {
  const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, localized(value)]))
  const key = `refusals:${code}.${part}`
  if (!i18next.exists(key, params)) return null
  const template = i18next.t(key, { ...params, skipInterpolation: true })
  const isWhole = [...template.matchAll(/{{(\w+)/g)].every(([, name]) => name !== undefined && name in params)
  return isWhole ? i18next.t(key, params) : null
}

/** A value in the language that is shown. */
const localized = (value: Param) => (typeof value === 'object' && !Array.isArray(value) ? textFor(value, i18next.language) : value)

/** Problems of a dataset, which come in all languages. */
function problemTexts({ extra }: ApiError, part: 'message' | 'remedy'): string | null {
  if (!Array.isArray(extra.problems)) return null
  const problems = extra.problems.slice(0, MAX_PROBLEMS) as Record<'message' | 'remedy', LocalText>[]
  return [...new Set(problems.map((problem) => textFor(problem[part], i18next.language)))].join(' ')
}

/** All languages, one dictionary a feature: `i18n/<language>/<namespace>.ts`. */
import i18next, { type FormatFunction } from 'i18next'
import { initReactI18next } from 'react-i18next'

import { formatBytes, formatNumber } from '../lib/format'
import { inLanguage, languageOf, localeOf, WORDED_KINDS, wordsOf } from './item-words'

export const LANGUAGES = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof LANGUAGES

const STORAGE_KEY = 'modelyard.language'
/** Two chunks a language, fetched when it is chosen: what the pages before the sign-in need, and what all others need besides. */
const dictionaries = { en: () => import('./en'), zh: () => import('./zh') }
const furtherDictionaries = { en: () => import('./en-pages'), zh: () => import('./zh-pages') }
/** One more, which a page before the sign-in needs only once something is refused. */
const refusals = { en: () => import('./en/refusals.json'), zh: () => import('./zh/refusals.json') }
let needsAll = false
let needsRefusals = false
const languagesWithAll = new Set<Language>()

export function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY)
  if (stored === 'en' || stored === 'zh') return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

const namespaceOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))

const keep = (language: Language, files: Record<string, { default: object }>) => {
  for (const [path, module] of Object.entries(files)) i18next.addResourceBundle(language, namespaceOf(path), module.default)
}

/** Fetches what a language lacks of the words that are needed. */
async function load(language: Language): Promise<void> {
  await Promise.all([loadFirst(language), needsAll && loadFurther(language), needsRefusals && loadRefusals(language)])
}

async function loadFirst(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'common')) return
  const { default: files } = await dictionaries[language]()
  keep(language, files)
}

async function loadRefusals(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'refusals')) return
  const { default: sentences } = await refusals[language]()
  i18next.addResourceBundle(language, 'refusals', sentences)
}

async function loadFurther(language: Language): Promise<void> {
  if (languagesWithAll.has(language)) return
  const [{ default: files }, ...kinds] = await Promise.all([
    furtherDictionaries[language](),
    ...WORDED_KINDS.map((kind) => wordsOf(kind, language).then((words) => [kind, words] as const)),
  ])
  keep(language, files)
  languagesWithAll.add(language)
  for (const [kind, words] of kinds)
    for (const [namespace, sentences] of Object.entries(words)) i18next.addResourceBundle(localeOf(language, kind), namespace, sentences)
}

/** Starts with the words of the pages before the sign-in; called again, returns to the preferred language and to no kind of items. */
export async function startFirstWords(): Promise<void> {
  if (i18next.isInitialized) await i18next.changeLanguage(preferredLanguage())
  else {
    await i18next
      .use(initReactI18next)
      .init({ lng: preferredLanguage(), fallbackLng: false, resources: {}, interpolation: { escapeValue: false, alwaysFormat: true } })
    i18next.services.formatter?.add('bytes', formatBytes)
    separateThousands()
  }
  await setLanguage(preferredLanguage())
}

/** Counts have their thousands apart in every sentence, whether it names the format or not. */
function separateThousands(): void {
  const interpolator = i18next.services.interpolator as { format?: FormatFunction }
  const format = interpolator.format
  interpolator.format = (value: unknown, name, language, options) =>
    !name && options?.interpolationkey === 'count' && typeof value === 'number'
      ? formatNumber(value)
      : (format?.(value, name, language, options) ?? '')
}

/** Brings the words of refusals, in every language that is shown from now on; fails where the chunk cannot be fetched. */
export async function loadRefusalWords(): Promise<void> {
  await loadRefusals(languageOf(i18next.language) as Language)
  needsRefusals = true
}

/** Brings the words of all other pages, in every language that is shown from now on. */
export async function loadAllWords(): Promise<void> {
  if (needsAll) return
  await Promise.all([loadFurther(languageOf(i18next.language) as Language), loadRefusalWords()])
  needsAll = true
}

/** Starts with all words. */
export async function startI18n(): Promise<void> {
  await startFirstWords()
  await loadAllWords()
}

/** Shows another language; an open project keeps its own nouns. */
export async function setLanguage(language: Language): Promise<void> {
  await load(language)
  localStorage.setItem(STORAGE_KEY, language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  await i18next.changeLanguage(inLanguage(i18next.language, language))
}

/** Speaks of items as a kind of them does; without one, of items. */
export async function setItemKind(kind: string | undefined): Promise<void> {
  const locale = localeOf(languageOf(i18next.language), kind)
  if (locale !== i18next.language) await i18next.changeLanguage(locale)
}

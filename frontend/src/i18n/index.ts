/** Both languages, one dictionary a feature: `i18n/<language>/<namespace>.ts`. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

import { type Dialect, dialectOf, DIALECTS, inDialect, type Words } from './dialect'

export const LANGUAGES = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'modelyard.language'
/** One chunk a language, fetched when it is chosen. */
const dictionaries = { en: () => import('./en'), zh: () => import('./zh') }
const specials: Record<Dialect, Record<Language, () => Promise<{ default: object }>>> = {
  text: { en: () => import('./texts/en'), zh: () => import('./texts/zh') },
  row: { en: () => import('./rows/en'), zh: () => import('./rows/zh') },
}

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

async function load(language: Language): Promise<void> {
  const [{ default: files }, ...special] = await Promise.all([
    dictionaries[language](),
    ...DIALECTS.map((dialect) => specials[dialect][language]().then((module) => [dialect, module.default] as const)),
  ])
  for (const [path, module] of Object.entries(files)) {
    const namespace = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length)
    i18next.addResourceBundle(language, namespace, module.default)
    for (const [dialect, sentences] of special) {
      const said = inDialect(dialect, language, module.default as Words, (sentences as Record<string, Words>)[namespace])
      i18next.addResourceBundle(dialectOf(language, dialect), namespace, said)
    }
  }
}

export async function startI18n(): Promise<void> {
  await i18next
    .use(initReactI18next)
    .init({ lng: preferredLanguage(), fallbackLng: false, resources: {}, interpolation: { escapeValue: false } })
  await setLanguage(preferredLanguage())
}

export async function setLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'common')) await load(language)
  localStorage.setItem(KEPT, language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  await i18next.changeLanguage(language)
}

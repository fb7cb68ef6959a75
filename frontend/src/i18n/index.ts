/** Both languages, one dictionary a feature: `i18n/<language>/<namespace>.ts`. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

import { dialectOf, DIALECTS, inDialect, type Words, wordsOf } from './dialect'

export const LANGUAGES = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'modelyard.language'
/** One chunk a language, fetched when it is chosen. */
const dictionaries = { en: () => import('./en'), zh: () => import('./zh') }

export function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

async function load(language: Language): Promise<void> {
  const [{ default: files }, ...kinds] = await Promise.all([
    dictionaries[language](),
    ...DIALECTS.map((kind) => wordsOf(kind, language).then((words) => [kind, words] as const)),
  ])
  for (const [path, module] of Object.entries(files)) {
    const namespace = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length)
    i18next.addResourceBundle(language, namespace, module.default)
    for (const [kind, words] of kinds) {
      const said = inDialect(words.inWords, module.default as Words, words.default[namespace])
      i18next.addResourceBundle(dialectOf(language, kind), namespace, said)
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

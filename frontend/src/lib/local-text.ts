import { useTranslation } from 'react-i18next'

import { languageOf } from '../i18n/item-words'

/** A name or sentence that the server knows in each language. */
export interface LocalText {
  en: string
  zh: string
  [language: string]: string
}

/** The text in a language, or in English if it has none. */
export const textFor = (text: LocalText, language: string) => text[languageOf(language)] ?? text.en

/** Picks the language that is shown. */
export function useLocalText(): (text: LocalText) => string {
  const { i18n } = useTranslation()
  return (text) => textFor(text, i18n.language)
}

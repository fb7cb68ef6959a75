import { useTranslation } from 'react-i18next'

import { languageOf } from '../i18n/item-words'

/** A name or sentence that the server knows in each language. */
export interface LocalText {
  en: string
  zh: string
  [language: string]: string
}

/** What is said in a language, or in English where it has no words. */
export const textFor = (text: LocalText, language: string) => text[languageOf(language)] ?? text.en

/** Picks the language that is shown. */
export function useLocalText(): (text: LocalText) => string {
  const { i18n } = useTranslation()
  return (text) => textFor(text, i18n.language)
}

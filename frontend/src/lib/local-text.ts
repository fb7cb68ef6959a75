import { useTranslation } from 'react-i18next'

/** A name or sentence that the server knows in both languages. */
export interface LocalText {
  en: string
  zh: string
}

/** Picks the language that is shown. */
export function useLocalText(): (text: LocalText) => string {
  const { i18n } = useTranslation()
  return (text) => (i18n.language.startsWith('zh') ? text.zh : text.en)
}

import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { setItemKind } from '.'
import { languageOf, localeOf } from './item-words'

/** Speaks of items as their kind does, as long as the component is shown. Returns whether that is so already. */
export function useItemWords(kind: string | undefined): boolean {
  const { i18n } = useTranslation()
  useEffect(() => {
    void setItemKind(kind)
    return () => void setItemKind(undefined)
  }, [kind])
  return i18n.language === localeOf(languageOf(i18n.language), kind)
}

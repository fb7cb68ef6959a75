import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '.'

/** The words for an item that was looked at and holds nothing: the same on all pages. */
export function useNothingWord(): string {
  const { t } = useTranslation('common')
  return t(useAnswerKind().isOfWhole ? 'nothing_labelled' : 'nothing_drawn')
}

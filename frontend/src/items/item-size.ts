/** How large an item is: the sides of a picture, the characters of a text, the cells of a row. */
import { useTranslation } from 'react-i18next'

import type { Item } from '../lib/api/types'
import { useItemKind } from '.'

export function useItemSize(): (media: Item['media']) => string {
  const { t } = useTranslation('common')
  const { sizeText } = useItemKind()
  return (media) => sizeText(media, t)
}

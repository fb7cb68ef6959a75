/** How large an item is: the sides of a picture, the characters of a text, the cells of a row. */
import { useTranslation } from 'react-i18next'

import type { Item } from './api/types'
import { formatNumber } from './format'

export function useMediaWords(): (media: Pick<Item['media'], 'width' | 'height' | 'num_characters' | 'num_cells'>) => string {
  const { t } = useTranslation('common')
  return ({ width, height, num_characters, num_cells }) => {
    if (num_cells != null) return t('cells', { count: num_cells, shown: formatNumber(num_cells) })
    return num_characters == null ? `${width} × ${height}` : t('characters', { count: num_characters, shown: formatNumber(num_characters) })
  }
}

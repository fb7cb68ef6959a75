import { useTranslation } from 'react-i18next'

import { useFacets } from '../../../lib/dataset/facets'
import { cellTestOf } from '../model/cell-tests'
import type { ItemFilter } from '../model/filter'

const CELL_WORDS = { '=': 'is', '!=': 'is_not', '>=': 'from', '<=': 'to', '~': 'contains' } as const

/** The text of a condition on its chip. */
export function useFilterWords(dataset: string): (field: keyof ItemFilter, value: string) => string {
  const { t, i18n } = useTranslation('data')
  const facets = useFacets(dataset).data
  const personOf = (by: string) => facets?.people.find(({ value }) => value === by)?.name || sourceOf(by)
  const sourceOf = (by: string) => {
    const kind = by.split(':')[0] ?? ''
    return i18n.exists(`data:source.${kind}`) ? t(`source.${kind as 'person'}`) : by
  }
  return (field, value) => {
    switch (field) {
      case 'where':
        return t(`where.${value as 'deleted'}`)
      case 'without':
        return t('chip.without', { name: value })
      case 'split':
        return t('chip.split', { name: t(`split.${value as 'train'}`) })
      case 'by':
        return t('chip.by', { name: personOf(value) })
      case 'flag':
        return t('chip.flag', { name: i18n.exists(`data:flags.${value}`) ? t(`flags.${value as 'dark'}`) : value })
      case 'comments':
        return t('chip.comments')
      case 'meta':
        return value.replace('=', ': ')
      case 'cell': {
        const test = cellTestOf(value)
        return test
          ? t(test.value ? `chip.cell.${CELL_WORDS[test.op]}` : test.op === '=' ? 'chip.cell.missing' : 'chip.cell.present', {
              name: test.column,
              value: test.value,
            })
          : value
      }
      case 'min_score':
        return t('chip.min_score', { score: value })
      case 'max_score':
        return t('chip.max_score', { score: value })
      default:
        return value
    }
  }
}

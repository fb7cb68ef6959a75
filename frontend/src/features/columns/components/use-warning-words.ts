import { useTranslation } from 'react-i18next'

import { formatFraction, formatNumber } from '../../../charts/format/format'
import { formatNumber as formatCount } from '../../../lib/format'
import type { ColumnWarning } from '../api/types'
import { shownValues } from '../model/profile'

/** Says what a warning means, in the words of the page; of many values the first, or all. */
export function useWarningWords(): (warning: ColumnWarning, isWhole?: boolean) => string {
  const { t } = useTranslation('columns')
  return (warning, isWhole = false) => {
    const { code, column, other, value, share, num_values } = warning
    const { shown, numMore } = shownValues(warning, isWhole)
    const values = shown.map((one) => t('warning.rows_of', { value: one.value, rows: formatCount(one.count) })).join(t('warning.comma'))
    return t(`warning.${code}`, {
      column: column ?? '',
      other: other ?? '',
      value: value ?? '',
      share: formatFraction(share),
      strength: formatNumber(share),
      count: num_values ?? undefined,
      values: numMore > 0 ? t('warning.and_more', { values, count: numMore }) : values,
    })
  }
}

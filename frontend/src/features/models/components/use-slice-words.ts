import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../../charts/format/format'
import { language } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import type { Slice, SliceReport } from '../api/types'
import { conditionOf } from '../model/slices'

/** How slices are spoken of. */
export function useSliceWords() {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const condition = ({ name, ...slice }: Slice): string => {
    const { key, ...values } = conditionOf(slice)
    const ends = Object.entries(values).map(([end, value]) => [end, typeof value === 'number' ? formatEnd(value, slice.scale) : value])
    const params: Record<string, string> = { name: text(name), ...Object.fromEntries(ends) }
    return t(`slice.${key}`, params)
  }
  return {
    condition,
    /** What people call such items; null where there is no word for them. */
    title: (slice: Slice) => (slice.title ? text(slice.title) : null),
    /** All of it in one line. */
    titleOf: (slice: Slice) =>
      slice.title ? t('slice.named', { title: text(slice.title), condition: condition(slice) }) : condition(slice),
    measured: ({ measured, interval, rest }: Slice, measure: SliceReport['measure']) => {
      const format = measure === 'absolute_error' ? formatAmount : formatFraction
      return t(`slice.${measure}`, { value: format(measured), low: format(interval[0]), high: format(interval[1]), rest: format(rest) })
    },
    count: (slice: Slice) => t('slice.count', { count: slice.num_items }),
  }
}

/** As it is: items were counted with this very number. Moments are shown in UTC, as cells of a table are read. */
function formatEnd(value: number, scale: Slice['scale']): string {
  if (scale === 'time') return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeZone: 'UTC' }).format(value * 1000)
  const isTiny = value !== 0 && Math.abs(value) < 1e-4
  return new Intl.NumberFormat(
    language(),
    isTiny ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 6, useGrouping: 'min2' },
  ).format(value)
}

import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../../charts/format/format'
import { MiniHistogram } from '../../../charts/histogram/histogram'
import { seriesColor, withOpacity } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { formatMoment } from '../../../lib/table/cells'
import type { ColumnProfile } from '../api/types'
import classes from './column-table.module.css'

const PARTS = 8

/** What a column looks like, small: a histogram of numbers and dates, the commonest values of categories, words of texts. */
export function ColumnShape({ profile }: { profile: ColumnProfile }) {
  const { t } = useTranslation('columns')
  const scheme = useScheme()
  const { histogram, top, minimum, maximum, kind, num_rows } = profile
  if (histogram && histogram.counts.length) {
    const write = (value: number | null | undefined) =>
      kind === 'datetime' ? formatMoment(value ?? NaN, (maximum ?? 0) - (minimum ?? 0)) : formatAmount(value)
    const range = t('list.range', { low: write(minimum), high: write(maximum) })
    return (
      <div className={classes.shape}>
        <MiniHistogram {...histogram} label={range} />
        <span className={classes.caption} title={range}>
          {range}
        </span>
      </div>
    )
  }
  const words = top.map(({ value }) => value).join(', ')
  if (kind === 'text') {
    return (
      <span className={classes.caption} title={words}>
        {words}
      </span>
    )
  }
  const color = seriesColor(0, scheme)
  return (
    <div className={classes.shape}>
      <span className={classes.stack} aria-hidden>
        {top.slice(0, PARTS).map(({ value, count }, index) => (
          <span
            key={value}
            className={classes.part}
            title={`${value}: ${count}`}
            style={{ width: `${(count / Math.max(1, num_rows)) * 100}%`, background: withOpacity(color, 0.9 - index * 0.1) }}
          />
        ))}
      </span>
      <span className={classes.caption} title={words}>
        {words}
      </span>
    </div>
  )
}

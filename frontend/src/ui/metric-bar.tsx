import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { isTooFew, type ListedMetric } from '../lib/listed-metric'
import classes from './metric-bar.module.css'

interface MetricBarProps extends ListedMetric {
  format: (value: number) => string
  /** Amounts have no whole that a bar could be a part of. */
  hasBar?: boolean
}

/** A value with its interval, of a fraction also as a bar, and the split it was measured on; of too few items the interval alone. */
export function MetricBar({ split, value, interval, num_items, format, hasBar = true }: MetricBarProps) {
  const { t } = useTranslation('charts')
  const [low, high] = interval ?? []
  const isKnown = low !== undefined && high !== undefined
  const range = isKnown ? t('interval.range', { low: format(low), high: format(high) }) : null
  const splitName = t(`split.${split}`)
  if (isTooFew(num_items)) {
    return (
      <Tooltip label={t('interval.too_few_help', { count: num_items ?? 0 })} multiline maw={280}>
        <div>
          {range ?? t('interval.too_few')}
          <div className={classes.split}>
            {range && `${t('interval.too_few')} · `}
            {splitName}
          </div>
        </div>
      </Tooltip>
    )
  }
  return (
    <div>
      <div className={classes.root}>
        <span className={classes.number}>{format(value)}</span>
        {hasBar && (
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
          </span>
        )}
        <span className={classes.split}>{splitName}</span>
      </div>
      {range && <div className={classes.split}>{range}</div>}
    </div>
  )
}

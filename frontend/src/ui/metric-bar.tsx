import { useTranslation } from 'react-i18next'

import classes from './metric-bar.module.css'

interface MetricBarProps {
  split: string
  value: number
  format: (value: number) => string
  /** Amounts have no whole that a bar could be a part of. */
  hasBar?: boolean
}

/** A value, of a fraction also as a bar, with the split it was measured on. */
export function MetricBar({ split, value, format, hasBar = true }: MetricBarProps) {
  const { t } = useTranslation('charts')
  return (
    <div className={classes.root}>
      <span className={classes.number}>{format(value)}</span>
      {hasBar && (
        <span className={classes.track} aria-hidden>
          <span className={classes.fill} style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
        </span>
      )}
      <span className={classes.split}>{t(`split.${split}`)}</span>
    </div>
  )
}

import { useTranslation } from 'react-i18next'

import classes from './metric-bar.module.css'

interface MetricBarProps {
  split: string
  value: number
  format: (value: number) => string
}

/** A fraction as number and bar, with the split it was measured on. */
export function MetricBar({ split, value, format }: MetricBarProps) {
  const { t } = useTranslation('charts')
  return (
    <div className={classes.root}>
      <span className={classes.number}>{format(value)}</span>
      <span className={classes.track} aria-hidden>
        <span className={classes.fill} style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }} />
      </span>
      <span className={classes.split}>{t(`split.${split}`)}</span>
    </div>
  )
}

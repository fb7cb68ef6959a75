import { formatFraction } from '../format/format'
import classes from './value-bars.module.css'

interface ValueBarsProps {
  values: readonly { value: string; count: number; color?: string | undefined }[]
  /** What a full count would be. */
  total: number
  format: (count: number) => string
}

/** How often each value occurs, commonest first, as given. */
export function ValueBars({ values, total, format }: ValueBarsProps) {
  const most = Math.max(1, ...values.map(({ count }) => count))
  return (
    <ol className={classes.root}>
      {values.map(({ value, count, color }) => (
        <li key={value}>
          <span className={classes.name} title={value}>
            {value}
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${(count / most) * 100}%`, background: color }} />
          </span>
          <span className={classes.number}>{format(count)}</span>
          <span className={classes.share}>{formatFraction(total > 0 ? count / total : null)}</span>
        </li>
      ))}
    </ol>
  )
}

import { formatFraction } from '../format/format'
import { chartColors, withOpacity } from '../palette/palette'
import { useScheme } from '../palette/use-scheme'
import classes from './before-after.module.css'

export interface BinShares {
  /** Which bin it is, in words. */
  name: string
  /** Fractions of all items. */
  before: number
  after: number
  /** It stands beside the others: what is not known of an item. */
  isApart?: boolean
}

interface BeforeAfterProps {
  bins: readonly BinShares[]
  /** What the bars show, in words. */
  label: string
}

const percent = (fraction: number, most: number) => `${(100 * fraction) / most}%`

function useColors(): [string, string] {
  const scheme = useScheme()
  const { text, good } = chartColors(scheme)
  return [withOpacity(text, 0.45), good]
}

function description({ name, before, after }: BinShares): string {
  return `${name}: ${formatFraction(before, 0)} → ${formatFraction(after, 0)}`
}

/** How often numbers lie in bins, before and after, side by side; the bins are drawn equally wide. */
export function BeforeAfterColumns({ bins, label, ends }: BeforeAfterProps & { ends: readonly [string, string] }) {
  const [first, second] = useColors()
  const most = Math.max(...bins.flatMap(({ before, after }) => [before, after]), 1e-9)
  return (
    <div>
      <div className={classes.columns} role="img" aria-label={label}>
        {bins.map((bin) => (
          <div key={bin.name} className={`${classes.bin} ${bin.isApart ? classes.apart : ''}`} title={description(bin)}>
            <span className={classes.bar} style={{ height: percent(bin.before, most), background: first }} />
            <span className={classes.bar} style={{ height: percent(bin.after, most), background: second }} />
          </div>
        ))}
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  )
}

/** How often values occur, before and after, one above the other. */
export function BeforeAfterRows({ bins, label }: BeforeAfterProps) {
  const [first, second] = useColors()
  const most = Math.max(...bins.flatMap(({ before, after }) => [before, after]), 1e-9)
  return (
    <ul className={classes.rows} aria-label={label}>
      {bins.map((bin) => (
        <li key={`${bin.isApart ?? false} ${bin.name}`}>
          <span className={classes.name} title={bin.name}>
            {bin.name}
          </span>
          <span className={classes.pair} aria-hidden>
            <span className={classes.lane} style={{ width: percent(bin.before, most), background: first }} />
            <span className={classes.lane} style={{ width: percent(bin.after, most), background: second }} />
          </span>
          <span className={classes.shares}>
            {formatFraction(bin.before, 0)} → {formatFraction(bin.after, 0)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Which colour is which. */
export function BeforeAfterLegend({ before, after }: { before: string; after: string }) {
  const [first, second] = useColors()
  return (
    <span>
      <span className={classes.key} style={{ background: first }} />
      {before}
      <span className={classes.key} style={{ background: second, marginLeft: 14 }} />
      {after}
    </span>
  )
}

import type { ReactNode } from 'react'

import { segments, type Part } from '../share-bar/segments'
import classes from './stacked-bars.module.css'

export interface StackedRow {
  key: string
  title: ReactNode
  parts: readonly Part[]
  /** What stands behind the bar. */
  value: ReactNode
}

interface StackedBarsProps {
  rows: readonly StackedRow[]
  /** Says what one part is worth. */
  format: (count: number) => string
}

/** A bar a row, as long as its sum beside the largest one, of parts that all rows have in the same colours; with a legend. */
export function StackedBars({ rows, format }: StackedBarsProps) {
  const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(1, ...rows.map(({ parts }) => sumOf(parts)))
  const shown = new Map(rows.flatMap(({ parts }) => segments(parts)).map((part) => [part.key, part]))
  return (
    <div>
      <ol className={classes.rows}>
        {rows.map(({ key, title, parts, value }) => {
          const texts = segments(parts).map((part) => `${part.title} ${format(part.count)}`)
          return (
            <li key={key}>
              <span className={classes.title}>{title}</span>
              <span className={classes.track} role="img" aria-label={texts.join(', ')} title={texts.join('\n')}>
                <span className={classes.bar} style={{ width: `${(sumOf(parts) / most) * 100}%` }}>
                  {segments(parts).map((part) => (
                    <span key={part.key} style={{ flexGrow: part.share_fraction, background: part.color }} />
                  ))}
                </span>
              </span>
              <span className={classes.value}>{value}</span>
            </li>
          )
        })}
      </ol>
      {shown.size > 1 && (
        <ul className={classes.legend}>
          {[...shown.values()].map((part) => (
            <li key={part.key}>
              <i style={{ background: part.color }} />
              {part.title}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { UnstyledButton } from '@mantine/core'

import classes from './curve-legend.module.css'

export interface CurveEntry {
  label: string
  color: string
  /** The text of the curve. */
  value: string
}

interface CurveLegendProps {
  entries: readonly CurveEntry[]
  /** The curve that is brought forward; null where none is. */
  chosen: string | null
  onChoose: (label: string | null) => void
  /** As wide as the longest value wants it. */
  entry_px?: number
}

/** Which curve is whose, and what it is worth; a press brings one forward, another lets it go. */
export function CurveLegend({ entries, chosen, onChoose, entry_px = 220 }: CurveLegendProps) {
  return (
    <ul className={classes.legend} style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${entry_px}px), 1fr))` }}>
      {entries.map(({ label, color, value }) => (
        <li key={label}>
          <UnstyledButton
            className={classes.entry}
            aria-pressed={chosen === label}
            onClick={() => onChoose(chosen === label ? null : label)}
          >
            <span className={classes.swatch} style={{ background: color }} />
            <span className={classes.name}>{label}</span>
            <span className={classes.value}>{value}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

/** For the group of a curve: how it is drawn, and that it steps back while another is brought forward. */
export const curveProps = (label: string, chosen: string | null) => ({
  className: classes.curve,
  'data-faded': (chosen !== null && chosen !== label) || undefined,
})

import { formatFraction } from '../format/format'
import classes from './score-bars.module.css'

export interface Score {
  label: string
  score_fraction: number
  color?: string | undefined
}

/** Answers of a model, best first, as given; the first one stands out. */
export function ScoreBars({ scores }: { scores: readonly Score[] }) {
  return (
    <ol className={classes.root}>
      {scores.map((score, place) => (
        <li key={place} className={classes.row}>
          <span className={classes.label} title={score.label}>
            {score.label}
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${score.score_fraction * 100}%`, background: score.color }} />
          </span>
          <span className={classes.number}>{formatFraction(score.score_fraction)}</span>
        </li>
      ))}
    </ol>
  )
}

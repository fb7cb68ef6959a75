import { useTranslation } from 'react-i18next'

import { isMissing } from '../../lib/table/cells'
import { type Contribution, waterfall, waterfallDomain } from './steps'
import classes from './waterfall.module.css'

interface WaterfallProps {
  base: number
  contributions: readonly Contribution[]
  format: (value: number) => string
  /** With a sign in front. */
  formatChange: (value: number) => string
}

/** Why this answer: from the mean answer, what each cell adds or takes, to the prediction of this row. */
export function WaterfallChart({ base, contributions, format, formatChange }: WaterfallProps) {
  const { t } = useTranslation('charts')
  const drawn = waterfall(base, contributions)
  const domain = waterfallDomain(drawn)
  const at = (value: number) => `${((value - domain[0]) / (domain[1] - domain[0])) * 100}%`
  const span = (from: number, to: number) => ({
    left: at(Math.min(from, to)),
    width: `calc(${at(Math.max(from, to))} - ${at(Math.min(from, to))})`,
  })
  return (
    <ol className={classes.root}>
      <li>
        <span className={classes.name}>{t('waterfall.base')}</span>
        <span className={classes.track} aria-hidden>
          <span className={classes.end} style={{ left: at(base) }} />
        </span>
        <span className={classes.number}>{format(base)}</span>
      </li>
      {drawn.steps.map(({ column, cell, value, from, to, num }) => (
        <li key={column}>
          <span className={classes.name} title={num > 1 ? undefined : `${column} = ${cell}`}>
            {num > 1 ? t('waterfall.rest', { count: num }) : column}
            {num === 1 && <span className={classes.cell}> = {isMissing(cell) ? t('swarm.missing') : cell}</span>}
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} data-loss={value < 0 || undefined} style={span(from, to)} />
          </span>
          <span className={classes.number} data-loss={value < 0 || undefined}>
            {formatChange(value)}
          </span>
        </li>
      ))}
      <li className={classes.answer}>
        <span className={classes.name}>{t('waterfall.answer')}</span>
        <span className={classes.track} aria-hidden>
          <span className={classes.end} style={{ left: at(drawn.answer) }} />
        </span>
        <span className={classes.number}>{format(drawn.answer)}</span>
      </li>
    </ol>
  )
}

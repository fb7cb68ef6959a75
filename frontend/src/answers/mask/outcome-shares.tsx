import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import classes from '../judged-card.module.css'
import { COLORS, OUTCOMES, type Outcome } from './judgement'

/** How much of the picture was found, missed and imagined; the legend of the colours. */
export function OutcomeShares({ shares }: { shares: Record<Outcome, number> }) {
  const { t } = useTranslation('report')
  const shown = OUTCOMES.filter((outcome) => outcome !== 'other' || shares.other > 0)
  return shown.map((outcome) => (
    <div key={outcome} className={classes.outcome}>
      <dt>
        <span className={classes.swatch} style={{ background: COLORS[outcome] }} />
        {t(`masks.${outcome}`)}
      </dt>
      <dd>{formatFraction(shares[outcome])}</dd>
    </div>
  ))
}

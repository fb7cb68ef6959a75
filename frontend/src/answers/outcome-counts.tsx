import { useTranslation } from 'react-i18next'

import classes from './judged-card.module.css'
import { COLORS, type Outcome, OUTCOMES } from './outcomes'

/** How many objects were found, missed and imagined; the legend of the colours. */
export function OutcomeCounts({ counts }: { counts: Record<Outcome, number> }) {
  const { t } = useTranslation('report')
  return OUTCOMES.map((outcome) => (
    <div key={outcome} className={classes.outcome}>
      <dt>
        <span className={classes.swatch} style={{ background: COLORS[outcome] }} />
        {t(`boxes.${outcome}`)}
      </dt>
      <dd>{counts[outcome]}</dd>
    </div>
  ))
}

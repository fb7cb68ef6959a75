import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { ItemThumb } from '../../items/item-thumb'
import classes from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { VerdictCard } from '../verdict-card'
import { BoxOverlay } from './box-overlay'
import { boxJudgement, hasBoxes, type Outcome } from './judgement'

const COLORS: Record<Outcome, string> = { found: '#4ade80', missed: '#facc15', false: '#fb923c' }

/** One picture with what a detector found, missed and imagined. */
export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('models')
  if (!hasBoxes(item)) {
    const nothing = t('items.nothing')
    return <VerdictCard item={item} truth={nothing} answer={nothing} isRight title={t('items.score')} value={formatFraction(null)} />
  }
  const { boxes, counts } = boxJudgement(item, thresholds)
  const drawn = boxes.map((box) => ({ ...box, color: COLORS[box.outcome], isDashed: box.outcome === 'missed' }))
  return (
    <figure className={classes.card}>
      <div className={classes.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        {item.width_px !== null && item.height_px !== null && (
          <BoxOverlay boxes={drawn} width_px={item.width_px} height_px={item.height_px} />
        )}
      </div>
      <dl className={classes.facts}>
        {(['found', 'missed', 'false'] as const).map((outcome) => (
          <div key={outcome} className={classes.outcome}>
            <dt>
              <span className={classes.swatch} style={{ background: COLORS[outcome] }} />
              {t(`boxes.${outcome}`)}
            </dt>
            <dd>{counts[outcome]}</dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}

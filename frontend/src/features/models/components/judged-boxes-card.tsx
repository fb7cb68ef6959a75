import { useTranslation } from 'react-i18next'

import { BoxOverlay } from '../../../ui/box-overlay'
import { ItemThumb } from '../../../ui/item-thumb'
import type { JudgedItem } from '../api/types'
import { boxJudgement, type Outcome } from '../model/judged-boxes'
import classes from './judged-items.module.css'

const COLORS: Record<Outcome, string> = { found: '#4ade80', missed: '#facc15', false: '#fb923c' }

interface JudgedBoxesCardProps {
  item: JudgedItem
  thresholds: Record<string, number>
}

/** One picture with what a detector found, missed and imagined. */
export function JudgedBoxesCard({ item, thresholds }: JudgedBoxesCardProps) {
  const { t } = useTranslation('models')
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

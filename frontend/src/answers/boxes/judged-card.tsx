import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { ItemThumb } from '../../items/item-thumb'
import classes from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { VerdictCard } from '../verdict-card'
import { JudgedOverlay } from './judged-overlay'
import { boxJudgement, hasBoxes } from './judgement'
import { OutcomeCounts } from '../outcome-counts'

/** One picture with what a detector found, missed and imagined. */
export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  if (!hasBoxes(item)) {
    const nothing = t('items.nothing')
    return <VerdictCard item={item} truth={nothing} answer={nothing} isRight title={t('items.score')} value={formatFraction(null)} />
  }
  const { counts } = boxJudgement(item, thresholds)
  return (
    <figure className={classes.card}>
      <div className={classes.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        <JudgedOverlay item={item} thresholds={thresholds} />
      </div>
      <dl className={classes.facts}>
        <OutcomeCounts counts={counts} />
      </dl>
    </figure>
  )
}

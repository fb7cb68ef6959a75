import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { ItemThumb } from '../../items/item-thumb'
import { OutcomeCounts } from '../outcome-counts'
import classes from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { VerdictCard } from '../verdict-card'
import { Outcomes } from './judged-overlay'
import { hasObjects, objectJudgement } from './judgement'

/** One picture with the objects that a model found, missed and imagined. */
export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  if (!hasObjects(item)) {
    const nothing = t('items.nothing')
    return <VerdictCard item={item} truth={nothing} answer={nothing} isRight title={t('items.score')} value={formatFraction(null)} />
  }
  const sides = { width_px: item.width_px ?? 1, height_px: item.height_px ?? 1 }
  return (
    <figure className={classes.card}>
      <div className={classes.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        <Outcomes item={item} thresholds={thresholds} isLarge={false} {...sides} />
      </div>
      <dl className={classes.facts}>
        <OutcomeCounts counts={objectJudgement(item, thresholds).counts} />
      </dl>
    </figure>
  )
}

import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { ItemThumb } from '../../items/item-thumb'
import classes from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { VerdictCard } from '../verdict-card'
import { Differences } from './judged-overlay'
import { hasAreas, maskJudgement, meanOverlap } from './judgement'
import { OutcomeShares } from './outcome-shares'

/** One picture with where the answer is right, and where it errs in which way. */
export function JudgedCard({ item }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const { width_px, height_px } = item
  if (!hasAreas(item)) {
    const nothing = t('items.nothing')
    return <VerdictCard item={item} truth={nothing} answer={nothing} isRight title={t('items.score')} value={formatFraction(null)} />
  }
  const sides = { width_px: width_px ?? 1, height_px: height_px ?? 1 }
  const { shares, labels } = maskJudgement(item, sides, false)
  return (
    <figure className={classes.card}>
      <div className={classes.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        <Differences item={item} isLarge={false} {...sides} />
      </div>
      <dl className={classes.facts}>
        <dt>{t('masks.overlap')}</dt>
        <dd>{formatFraction(meanOverlap(labels))}</dd>
        <OutcomeShares shares={shares} />
      </dl>
    </figure>
  )
}

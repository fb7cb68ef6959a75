import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { ItemThumb } from '../../../ui/item-thumb'
import type { JudgedItem } from '../api/types'
import { judgement } from '../model/judged'
import classes from './judged-items.module.css'

interface JudgedCardProps {
  item: JudgedItem
  /** Thresholds by label where an item may carry several; empty otherwise. */
  thresholds: Record<string, number>
}

/** One picture with what it is and what the model said. */
export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('models')
  const judged = judgement(item.truth, item.prediction, thresholds)
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <figure className={classes.card}>
      <ItemThumb item={{ ...item, row: null }} alt={item.name} />
      <dl className={classes.facts}>
        <dt>{t('items.truth')}</dt>
        <dd title={names(judged.truth)}>{names(judged.truth)}</dd>
        <dt>{t('items.answer')}</dt>
        <dd title={names(judged.answer)} className={judged.isRight ? undefined : classes.wrong}>
          {names(judged.answer)}
        </dd>
        <dt>{t('items.score')}</dt>
        <dd>{formatFraction(judged.score_fraction)}</dd>
      </dl>
    </figure>
  )
}

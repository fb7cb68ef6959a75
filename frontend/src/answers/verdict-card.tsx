import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ItemThumb } from '../items/item-thumb'
import type { JudgedItem } from './kind'
import classes from './judged-card.module.css'

interface VerdictCardProps {
  item: JudgedItem
  truth: string
  answer: string
  isRight: boolean
  /** What the third line holds, with its name. */
  title: string
  value: string
  /** Lies over the picture. */
  overlay?: ReactNode
}

/** One item with its truth and prediction. */
export function VerdictCard({ item, truth, answer, isRight, title, value, overlay }: VerdictCardProps) {
  const { t } = useTranslation('report')
  return (
    <figure className={classes.card}>
      <div className={classes.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        {overlay}
      </div>
      <dl className={classes.facts}>
        <dt>{t('items.truth')}</dt>
        <dd title={truth}>{truth}</dd>
        <dt>{t('items.answer')}</dt>
        <dd title={answer} className={isRight ? undefined : classes.wrong}>
          {answer}
        </dd>
        <dt>{title}</dt>
        <dd>{value}</dd>
      </dl>
    </figure>
  )
}

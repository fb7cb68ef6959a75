import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import classes from '../judged-card.module.css'
import type { JudgedCardProps, JudgedItem } from '../kind'
import { VerdictCard } from '../verdict-card'
import { judgement } from './judgement'

export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('models')
  const { truth, answer, score_fraction, isRight } = judgement(item.truth, item.prediction, thresholds)
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <VerdictCard
      item={item}
      truth={names(truth)}
      answer={names(answer)}
      isRight={isRight}
      title={t('items.score')}
      value={formatFraction(score_fraction)}
    />
  )
}

export function JudgedCells({ item }: { item: JudgedItem }) {
  const { t } = useTranslation('models')
  const { truth, answer, score_fraction, isRight } = judgement(item.truth, item.prediction, {})
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <>
      <Table.Td>{names(truth)}</Table.Td>
      <Table.Td className={isRight ? undefined : classes.wrong}>{names(answer)}</Table.Td>
      <Table.Td className={classes.number}>{formatFraction(score_fraction)}</Table.Td>
    </>
  )
}

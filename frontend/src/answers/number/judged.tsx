import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../charts/format/format'
import classes from '../judged-card.module.css'
import type { JudgedCardProps, JudgedFactsProps, JudgedItem } from '../kind'
import { JudgedPair } from '../judged-pair'
import { VerdictCard } from '../verdict-card'
import { errorOf, valueOf } from './error'

const amountsOf = (item: JudgedItem) => {
  const error = errorOf(item)?.error
  const sign = error !== undefined && error > 0 ? '+' : ''
  return {
    truth: formatAmount(valueOf(item.truth)),
    answer: formatAmount(valueOf(item.prediction)),
    error: `${sign}${formatAmount(error)}`,
  }
}

export function JudgedCard({ item }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const { error, ...amounts } = amountsOf(item)
  return <VerdictCard item={item} {...amounts} isRight title={t('rows.error')} value={error} />
}

export function JudgedFacts({ item, hasTruth = true }: JudgedFactsProps) {
  const { t } = useTranslation('report')
  const { truth, answer, error } = amountsOf(item)
  return <JudgedPair truth={hasTruth ? truth : null} answer={answer} isRight more={[[t('rows.error'), error]]} />
}

export function JudgedCells({ item }: JudgedCardProps) {
  const { truth, answer, error } = amountsOf(item)
  return [truth, answer, error].map((amount, place) => (
    <Table.Td key={place} className={classes.number}>
      {amount}
    </Table.Td>
  ))
}

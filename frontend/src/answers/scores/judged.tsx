import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { useProject } from '../../lib/project/project'
import classes from '../judged-card.module.css'
import type { JudgedCardProps, JudgedFactsProps } from '../kind'
import { JudgedPair } from '../judged-pair'
import { ScoredBars } from '../scored-bars'
import { VerdictCard } from '../verdict-card'
import { judgement } from './judgement'

/** So many labels of an item a report keeps. */
const STORED = 5

export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
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

export function JudgedFacts({ item, thresholds, hasTruth = true }: JudgedFactsProps) {
  const { t } = useTranslation('report')
  const { truth, answer, isRight } = judgement(item.truth, item.prediction, thresholds)
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <>
      <JudgedPair truth={hasTruth ? names(truth) : null} answer={names(answer)} isRight={isRight} />
      <ScoredBars annotations={item.prediction} />
      <BestOnly shown={item.prediction.length} />
    </>
  )
}

/** Says that further labels have lower scores, which are not stored. */
function BestOnly({ shown }: { shown: number }) {
  const { t } = useTranslation('report')
  const total = useProject().data?.label_set.labels.length ?? 0
  if (shown !== STORED || total <= STORED) return null
  return (
    <Text size="xs" c="dimmed" mt={6}>
      {t('items.best_only', { count: shown, total })}
    </Text>
  )
}

export function JudgedCells({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const { truth, answer, score_fraction, isRight } = judgement(item.truth, item.prediction, thresholds)
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <>
      <Table.Td>{names(truth)}</Table.Td>
      <Table.Td className={isRight ? undefined : classes.wrong}>{names(answer)}</Table.Td>
      <Table.Td className={classes.number}>{formatFraction(score_fraction)}</Table.Td>
    </>
  )
}

import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { JudgedPair } from '../judged-pair'
import type { JudgedCardProps, JudgedFactsProps, JudgedItem } from '../kind'
import { VerdictCard } from '../verdict-card'

/** What a picture shows, and what the most similar one does. */
function verdict({ truth, prediction }: JudgedItem) {
  const label = (annotations: JudgedItem['truth']) => annotations.map((each) => ('label' in each ? each.label : '')).join(', ')
  const [expected, nearest] = [label(truth), label(prediction.slice(0, 1))]
  return { truth: expected, answer: nearest || '–', isRight: !nearest || expected === nearest, score: prediction[0]?.score ?? null }
}

/** One picture with the label of the most similar one. */
export function JudgedCard({ item }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const { truth, answer, isRight, score } = verdict(item)
  return (
    <VerdictCard
      item={item}
      truth={truth}
      answer={answer}
      isRight={isRight}
      title={t('similarity.similarity')}
      value={score === null ? '–' : formatFraction(score)}
    />
  )
}

/** Beside the picture. */
export function JudgedFacts({ item, hasTruth = true }: JudgedFactsProps) {
  const { t } = useTranslation('report')
  const { truth, answer, isRight, score } = verdict(item)
  const more = score === null ? [] : ([[t('similarity.similarity'), formatFraction(score)]] as const)
  return <JudgedPair truth={hasTruth ? truth : null} answer={answer} isRight={isRight} more={more} />
}

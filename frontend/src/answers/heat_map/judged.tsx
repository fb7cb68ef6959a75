import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { JudgedPair } from '../judged-pair'
import type { JudgedCardProps, JudgedFactsProps, JudgedItem } from '../kind'
import { VerdictCard } from '../verdict-card'
import { Overlay } from './overlay'
import { Prediction } from './prediction'

/** The true and the predicted label of a picture. */
function verdict({ truth, prediction }: JudgedItem) {
  const labels = (annotations: JudgedItem['truth']) => annotations.map((each) => ('label' in each ? each.label : '')).join(', ')
  const [expected, answer] = [labels(truth), labels(prediction.slice(0, 1))]
  return { truth: expected, answer, isRight: expected === answer, score: prediction[0]?.score ?? null }
}

/** One picture with its map, its truth and the model's prediction. */
export function JudgedCard(props: JudgedCardProps) {
  const { t } = useTranslation('report')
  const { truth, answer, isRight, score } = verdict(props.item)
  return (
    <VerdictCard
      item={props.item}
      truth={truth}
      answer={answer}
      isRight={isRight}
      title={t('items.score')}
      value={formatFraction(score)}
      overlay={<JudgedOverlay {...props} />}
    />
  )
}

/** Beside the picture. */
export function JudgedFacts({ item, hasTruth = true }: JudgedFactsProps) {
  const { truth, answer, isRight } = verdict(item)
  return (
    <>
      <JudgedPair truth={hasTruth ? truth : null} answer={answer} isRight={isRight} />
      <Prediction annotations={item.prediction} />
    </>
  )
}

/** The map over the picture. */
export function JudgedOverlay({ item }: JudgedCardProps) {
  const { width_px, height_px, prediction } = item
  if (width_px === null || height_px === null) return null
  return <Overlay annotations={prediction} labels={[]} width_px={width_px} height_px={height_px} />
}

import { ScoreBars } from '../charts/score-bars/score-bars'
import { useProject } from '../lib/project/project'
import type { PredictionProps } from './kind'
import { scoresOf } from './scored'

/** Labels with how sure a model is of each, in their colours, best first. */
export function ScoredBars({ annotations }: PredictionProps) {
  const colors = new Map(useProject().data?.label_set.labels.map(({ name, color }) => [name, color]))
  const scores = scoresOf(annotations)
  if (scores.length === 0) return null
  return <ScoreBars scores={scores.map((score) => ({ ...score, color: colors.get(score.label) }))} />
}

/** Scores of the first picture of an answer, best first. */

import type { Score } from '../../../charts/score-bars/score-bars'

interface AnswerLike {
  predictions: readonly { annotations: readonly { label?: string; score?: number | null }[] }[]
}

export function scoresOf(answer: AnswerLike): Score[] {
  const said = answer.predictions[0]?.annotations ?? []
  return said
    .flatMap(({ label, score }) => (label === undefined || score == null ? [] : [{ label, score_fraction: score }]))
    .sort((a, b) => b.score_fraction - a.score_fraction)
}

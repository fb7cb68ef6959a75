/** How a judged item reads on a card. */

export interface LabelLike {
  kind: string
  label?: string
  score?: number | null
}

export interface Judgement {
  truth: string[]
  answer: string[]
  /** Score of the first answer, when there is one. */
  score_fraction: number | null
  isRight: boolean
}

/** With one label the best answer counts; where labels have thresholds, every answer that reaches its own. */
export function judgement(truth: readonly LabelLike[], prediction: readonly LabelLike[], thresholds: Record<string, number>): Judgement {
  const hasThresholds = Object.keys(thresholds).length > 0
  const predicted = hasThresholds
    ? prediction.filter((each) => (each.score ?? 0) >= (thresholds[each.label ?? ''] ?? 0.5))
    : prediction.slice(0, 1)
  const names = (labels: readonly LabelLike[]) => labels.map((each) => each.label ?? '').filter(Boolean)
  const [truths, answers] = [names(truth), names(predicted)]
  return {
    truth: truths,
    answer: answers,
    score_fraction: (predicted[0] ?? prediction[0])?.score ?? null,
    isRight: truths.length === answers.length && truths.every((name) => answers.includes(name)),
  }
}

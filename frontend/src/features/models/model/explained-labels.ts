import type { AnnotationLike } from '../../../answers/kind'

/** Labels whose scores are worth an explanation: the predicted one first, then the true one. */
export function explainedLabels({
  prediction,
  truth,
}: {
  prediction: readonly AnnotationLike[]
  truth: readonly AnnotationLike[]
}): string[] {
  const best = prediction.slice(0, 1)
  return [...new Set([...best, ...truth].flatMap(({ label }) => (label ? [label] : [])))]
}

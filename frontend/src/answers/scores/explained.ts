import type { AnnotationLike, Explained } from '../kind'

/** Labels whose scores are worth an explanation: the predicted one first, then the true one. */
export function explainedLabels({
  prediction,
  truth,
}: {
  prediction: readonly AnnotationLike[]
  truth: readonly AnnotationLike[]
}): Explained[] {
  const best = prediction.slice(0, 1)
  const labels = new Set([...best, ...truth].flatMap(({ label }) => (label ? [label] : [])))
  return [...labels].map((label) => ({ label }))
}

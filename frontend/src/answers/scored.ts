/** The scores of one item's answer, best first. */
import type { Score } from '../charts/score-bars/score-bars'
import type { AnnotationLike } from './kind'

export function scoresOf(annotations: readonly AnnotationLike[]): Score[] {
  return annotations
    .flatMap(({ label, score }) => (label == null || score == null ? [] : [{ label, score_fraction: score }]))
    .sort((a, b) => b.score_fraction - a.score_fraction)
}

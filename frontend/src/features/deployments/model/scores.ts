/** Scores and boxes of the first picture of an answer, best first. */

import type { Score } from '../../../charts/score-bars/score-bars'
import type { OverlayBox } from '../../../ui/box-overlay'

interface AnswerLike {
  predictions: readonly { annotations: readonly AnnotationLike[] }[]
}

interface AnnotationLike {
  kind?: string
  label?: string
  score?: number | null
}

interface BoxLike extends AnnotationLike {
  kind: 'box'
  label: string
  x: number
  y: number
  width: number
  height: number
}

export function scoresOf(answer: AnswerLike): Score[] {
  const said = answer.predictions[0]?.annotations ?? []
  return said
    .flatMap(({ label, score }) => (label === undefined || score == null ? [] : [{ label, score_fraction: score }]))
    .sort((a, b) => b.score_fraction - a.score_fraction)
}

/** The number of the first row of an answer; null where labels are predicted. */
export function numberIn(answer: { predictions: readonly { annotations: readonly object[] }[] }): number | null {
  const value = answer.predictions[0]?.annotations
    .map((said) => ('value' in said ? said.value : null))
    .find((one) => typeof one === 'number')
  return value ?? null
}

/** What a detector drew; a label keeps its colour. */
export function boxesOf(answer: AnswerLike, colors: ReadonlyMap<string, string>): OverlayBox[] {
  const said = answer.predictions[0]?.annotations ?? []
  return said.filter(isBox).map(({ label, score, x, y, width, height }) => ({
    x,
    y,
    width,
    height,
    label: score == null ? label : `${label} ${Math.round(score * 100)}%`,
    color: colors.get(label) ?? '#4ade80',
  }))
}

function isBox(annotation: AnnotationLike): annotation is BoxLike {
  return annotation.kind === 'box'
}

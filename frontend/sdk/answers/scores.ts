/** What the two kinds of scores share: a score a label, 0 to 1. */
import type { ClassAnnotation } from '../api'
import { ModelError } from '../errors'
import { type AnswerKind, floorOf, rounded, SCORE_DIGITS } from './kind'

/** Difference that counts for a label which only one side knows, or whose score is no number. */
const MISSING_LABEL = 1

export const SCORES: AnswerKind = {
  defaultTop: 5,

  check({ axes }, labels) {
    if (axes.length !== 1 || axes[0] !== labels.length)
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()} for ${labels.length} labels`)
  },

  encode({ data }, labels, _size, options) {
    const order = [...data.keys()].sort((a, b) => (data[b] ?? 0) - (data[a] ?? 0) || b - a)
    const annotations: ClassAnnotation[] = []
    for (const index of order) {
      const label = labels[index] ?? ''
      const score = Math.min(1, Math.max(0, rounded(data[index] ?? 0, SCORE_DIGITS)))
      if (score < floorOf(label, options)) continue
      annotations.push({ kind: 'class', label, score })
      if (annotations.length === options.top) break
    }
    return annotations
  },

  difference(expected, names, { data }, labels) {
    const expectedScores = new Map(names.map((name, place) => [name, expected.scores[place]]))
    if (expectedScores.size !== labels.length || expected.scores.length !== names.length) return MISSING_LABEL
    const apart = labels.map((label, place) => Math.abs((data[place] ?? NaN) - (expectedScores.get(label) ?? NaN)))
    return Math.max(...apart.map((each) => (Number.isNaN(each) ? MISSING_LABEL : each)))
  },
}

/**
 * Whether a picture is like those that were learned from, and where it is not: one plane of anomaly scores, 0 to 1.
 *
 * The score of the picture is the largest of the plane. One of the two labels is the normal one; the other is answered from its
 * threshold on, one half where there is none.
 */
import type { ClassAnnotation } from '../../api'
import { ModelError } from '../../errors'
import { type AnswerKind, halfToEven, rounded, SCORE_DIGITS } from '../kind'

const NORMAL_NAMES = ['normal', 'good', 'ok', '正常', '良品', '合格']
const NEUTRAL_SCORE = 0.5
const LEVELS = 255
const NUM_AXES = 2

const within = (value: number) => Math.min(1, Math.max(0, value))

/** A byte a place, row by row, in base64. */
const valuesOf = (plane: Float32Array) =>
  btoa(Array.from(plane, (score) => String.fromCharCode(halfToEven(Math.fround(within(score) * LEVELS)))).join(''))

function anomalyOf(plane: Float32Array): number {
  if (!plane.every(Number.isFinite)) throw new ModelError('answer_invalid', 'the model answers with a place that is no number')
  return rounded(within(plane.reduce((a, b) => Math.max(a, b))), SCORE_DIGITS)
}

export const KIND: AnswerKind = {
  defaultTop: 1,

  check({ axes }) {
    if (axes.length !== NUM_AXES || axes.includes(0))
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with a plane`)
  },

  encode({ data, axes }, labels, _size, { threshold, thresholds }) {
    const normal = labels.find((label) => NORMAL_NAMES.includes(label.trim().toLowerCase())) ?? labels[0] ?? ''
    const defect = labels.find((label) => label !== normal) ?? 'defect'
    const anomaly = anomalyOf(data)
    const found: ClassAnnotation =
      anomaly >= (thresholds[defect] ?? NEUTRAL_SCORE)
        ? { kind: 'class', label: defect, score: anomaly }
        : { kind: 'class', label: normal, score: rounded(1 - anomaly, SCORE_DIGITS) }
    if (threshold !== undefined && found.score < threshold) return []
    const [height = 0, width = 0] = axes
    return [{ ...found, heat_map: { score: anomaly, width, height, values: valuesOf(data) } }]
  },

  difference({ heat_map: golden }, _names, { data, axes }) {
    const [height = 0, width = 0] = axes
    if (golden?.height !== height || golden?.width !== width)
      throw new ModelError('artefact_unreadable', `the plane has ${width} x ${height} places, the golden sample other sides`)
    const apart = golden.values.map((value, place) => Math.abs((data[place] ?? NaN) - value))
    return Math.max(...apart.map((each) => (Number.isNaN(each) ? 1 : each)))
  },
}

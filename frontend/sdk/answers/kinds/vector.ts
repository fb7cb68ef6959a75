/** A direction for the whole item: numbers whose squares add up to one, to be compared with those of other items. */
import { ModelError } from '../../errors'
import { type AnswerKind, rounded, SCORE_DIGITS } from '../kind'

const LENGTH_TOLERANCE = 1e-2

function valuesOf(data: Float32Array): number[] {
  const length = Math.hypot(...data)
  if (!(Math.abs(length - 1) <= LENGTH_TOLERANCE))
    throw new ModelError('answer_invalid', `the model answers with a vector of length ${length}, not one`)
  return Array.from(data, (value) => rounded(value, SCORE_DIGITS))
}

export const KIND: AnswerKind = {
  defaultTop: 1,

  check({ axes }) {
    if (axes.length !== 1 || axes.includes(0))
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with a vector`)
  },

  encode: ({ data }) => [{ kind: 'vector', values: valuesOf(data) }],

  difference({ vector: golden }, _names, { data }) {
    if (golden?.length !== data.length)
      throw new ModelError('artefact_unreadable', `the vector has ${data.length} numbers, the golden sample ${golden?.length ?? 0}`)
    const apart = golden.map((value, place) => Math.abs((data[place] ?? NaN) - value))
    return Math.max(...apart.map((each) => (Number.isNaN(each) ? 1 : each)))
  },
}

/** One number that belongs to the item, such as a price. */
import { ModelError } from '../../errors'
import type { Answer, AnswerKind } from '../kind'

const MOST_DIGITS = 9

/** The number, with as many digits as tell it from its neighbours in float32. */
function valueOf({ data }: Answer): number {
  const number = data[0] ?? NaN
  if (!Number.isFinite(number)) throw new ModelError('answer_invalid', `the model answers ${number}`)
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(number.toPrecision(digits))
    if (Math.fround(short) === number) return short
  }
  return Number(number.toPrecision(MOST_DIGITS))
}

export const KIND: AnswerKind = {
  defaultTop: 1,

  check({ axes }) {
    if (axes.length !== 1 || axes[0] !== 1)
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with one number`)
  },

  encode: (answer) => [{ kind: 'value', value: valueOf(answer) }],

  difference: ({ scores }, _names, answer) => Math.abs(valueOf(answer) - (scores[0] ?? NaN)),
}

/** Between which numbers the true one lies, but for the error rate that was chosen. */
import { ModelError } from '../../errors'
import type { CoverageKind } from '../kind'

/** Significant ones: float32 has seven. */
const DIGITS = 9

export const KIND: CoverageKind = {
  beside({ data }, _labels, _thresholds, { reach, error_rate }) {
    if (typeof reach !== 'number') throw new ModelError('artefact_unreadable', 'the error rate of a number has no reach')
    const end = (apart: number) => Number(((data[0] as number) + apart).toPrecision(DIGITS))
    return { interval: { low: end(-reach), high: end(reach), error_rate } }
  },
}

/** Between which numbers the true one lies, but for the error rate that was chosen. */
import type { CoverageKind } from '../kind'

/** Significant ones: float32 has seven. */
const DIGITS = 9

export const KIND: CoverageKind = {
  beside({ data }, _labels, _thresholds, { reach, error_rate }) {
    const end = (apart: number) => Number(((data[0] as number) + apart).toPrecision(DIGITS))
    const far = reach ?? 0
    return { interval: { low: end(-far), high: end(far), error_rate } }
  },
}

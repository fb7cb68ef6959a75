/** The result of a paired test of two models. Pure. */
import type { Pair } from '../api/types'
import type { Verdict } from './comparison'

/** Above it the difference may be chance. */
const ALPHA = 0.05

/** Which one is better on the same items: by right answers, or by smaller errors of amounts. */
export function pairVerdict({ test, is_amount }: Pick<Pair, 'test' | 'is_amount'>): Verdict {
  if (!test || test.p_value >= ALPHA || test.difference === 0) return 'undecided'
  return test.difference > 0 === is_amount ? 'left' : 'right'
}

/** Small ones are not written out; it stays on one line. */
export function formatP(p: number): string {
  return p < 0.001 ? 'p\u00a0<\u00a00.001' : `p\u00a0=\u00a0${p.toPrecision(2)}`
}

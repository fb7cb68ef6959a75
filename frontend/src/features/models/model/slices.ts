/** Which items a slice holds, as the keys and values of a sentence. Pure. */
import type { Slice } from '../api/types'

type Ends = Pick<Slice, 'scale' | 'low' | 'high' | 'value'>

export type Condition =
  | { key: 'unknown' }
  | { key: 'value'; value: string }
  | { key: 'below'; high: number }
  | { key: 'from'; low: number }
  | { key: 'between'; low: number; high: number }

/** An empty value means that it is not known, whatever the fact is. */
export function conditionOf({ low, high, value }: Ends): Condition {
  if (value === '') return { key: 'unknown' }
  if (value != null) return { key: 'value', value }
  if (low == null) return { key: 'below', high: high ?? Infinity }
  return high == null ? { key: 'from', low } : { key: 'between', low, high }
}

/** The ends of one axis for all slices: shares from a round tenth below the least to one, amounts from zero. */
export function sliceDomain(slices: readonly Pick<Slice, 'interval' | 'rest'>[], isShare: boolean): [number, number] {
  const values = slices.flatMap(({ interval, rest }) => [...interval, rest])
  if (isShare) return [Math.max(0, Math.min(0.8, Math.floor(Math.min(...values) * 10) / 10)), 1]
  return [0, Math.max(...values, Number.MIN_VALUE) * 1.05]
}

/** Counts between round edges, for values that come unbinned. */

import { extent, roundTicks } from '../scale/scale'

export interface Bins {
  /** One more than counts. */
  edges: readonly number[]
  counts: readonly number[]
}

const NOTHING: Bins = { edges: [], counts: [] }

/** Bins of round width that hold all finite values; about `num_bins` of them. One value alone is one bin around it. */
export function binned(values: readonly number[], num_bins = 24): Bins {
  const finite = values.filter(Number.isFinite)
  const range = extent(finite)
  if (!range) return NOTHING
  const [low, high] = range
  if (low === high) return { edges: [low - 0.5, low + 0.5], counts: [finite.length] }
  const ticks = roundTicks(range, num_bins)
  const step = (ticks[1] ?? high) - (ticks[0] ?? low)
  const first = Math.floor(low / step) * step
  const num = Math.max(1, Math.ceil((high - first) / step + 1e-9))
  const counts = new Array<number>(num).fill(0)
  for (const value of finite) {
    const place = Math.min(num - 1, Math.max(0, Math.floor((value - first) / step)))
    counts[place] = (counts[place] ?? 0) + 1
  }
  return { edges: Array.from({ length: num + 1 }, (_, index) => Number((first + index * step).toPrecision(12))), counts }
}

/** Bars next to each other: where each begins and ends along the axis and how high it is, all as fractions. */
export function bars({ edges, counts }: Bins): { from: number; to: number; height: number; place: number }[] {
  const first = edges[0] ?? 0
  const width = (edges[counts.length] ?? 1) - first || 1
  const most = Math.max(1, ...counts)
  return counts.map((count, place) => ({
    from: ((edges[place] ?? 0) - first) / width,
    to: ((edges[place + 1] ?? 0) - first) / width,
    height: count / most,
    place,
  }))
}

/** How many results come a second, from counts that grow by leaps: results are written every few seconds. Pure. */

export interface Sample {
  at_ms: number
  num_results: number
}

/** Older samples are ignored. */
const WINDOW_MS = 30_000

/** Adds what is known now; counts that stand still are kept once. */
export function sampled(samples: readonly Sample[], now: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last && last.num_results === now.num_results) return samples
  if (last && last.num_results > now.num_results) return [now]
  const recent = samples.filter(({ at_ms }) => at_ms >= now.at_ms - WINDOW_MS)
  return [...(recent.length ? recent : samples.slice(-1)), now]
}

/** Results a second between the first and the last leap; null until there are two. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at_ms <= first.at_ms) return null
  return ((last.num_results - first.num_results) * 1000) / (last.at_ms - first.at_ms)
}

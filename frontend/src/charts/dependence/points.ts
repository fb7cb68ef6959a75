/** Maths of partial dependence. */

import { extent, type Interval, widened } from '../scale/scale'

export interface DependencePoint {
  cell: string
  /** On the column's axis; NaN of a category. */
  position: number
  mean: number
  /** Of the rows near it, 0..1. */
  share: number
}

/** One axis of answers for several plots, from zero where that is not far away: bars start there. Probabilities end at 1. */
export function answerDomain(means: readonly number[], isFraction: boolean): Interval {
  const [least, most] = extent(means) ?? [0, 1]
  const [low, high] = widened([least, most], 0.1)
  if (isFraction) return [0, Math.min(1, high)]
  return [least >= 0 && least < 0.7 * most ? 0 : low, high]
}

export interface Strip {
  from: number
  to: number
  opacity: number
}

/** A strip that is dark where many rows are: each point's part reaches half-way to its neighbours. */
export function stripOf(places_px: readonly number[], shares: readonly number[], [left, right]: Interval): Strip[] {
  const most = Math.max(...shares, 1e-9)
  const middle = (index: number) => ((places_px[index] ?? 0) + (places_px[index + 1] ?? 0)) / 2
  return places_px.map((_, index) => ({
    from: index === 0 ? left : middle(index - 1),
    to: index === places_px.length - 1 ? right : middle(index),
    opacity: Number((((shares[index] ?? 0) / most) * 0.85).toFixed(3)),
  }))
}

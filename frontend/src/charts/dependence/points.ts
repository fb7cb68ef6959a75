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

/** One axis of answers for several plots; probabilities stay within 0..1. */
export function answerDomain(means: readonly number[], isFraction: boolean): Interval {
  const [low, high] = widened(extent(means) ?? [0, 1], 0.1)
  return isFraction ? [Math.max(0, low), Math.min(1, high)] : [low, high]
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

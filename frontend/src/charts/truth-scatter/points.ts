/** Maths of truth against prediction. */

import { extent, type Interval, widened } from '../scale/scale'

export interface TruthPoint {
  item: string
  truth: number
  prediction: number
}

/** The axis that both share, so that the diagonal means "right". */
export function sharedDomain(points: readonly TruthPoint[]): Interval {
  return widened(extent(points.flatMap(({ truth, prediction }) => [truth, prediction])) ?? [0, 1], 0.04)
}

/** At most so many points, spread evenly over the order given, the first and the last among them. */
export function thinned<T>(points: readonly T[], max: number): T[] {
  if (points.length <= max) return [...points]
  return Array.from({ length: max }, (_, index) => points[Math.round((index * (points.length - 1)) / (max - 1))] as T)
}

/** Prediction less truth. */
export const residuals = (points: readonly TruthPoint[]): number[] => points.map(({ truth, prediction }) => prediction - truth)

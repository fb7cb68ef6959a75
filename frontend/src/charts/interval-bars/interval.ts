/** Maths of the interval bars: metrics with their 95% intervals on one axis that is worth looking at. */

import { roundTicks, type Interval } from '../scale/scale'

export interface Measured {
  value: number
  interval: Interval | null
}

/**
 * The part of 0..1 that shows all intervals: it ends at 1 and starts at a round tenth below the lowest, so that two good
 * models can be distinguished. Never narrower than 0.2: noise must not look like a difference.
 */
export function intervalDomain(measured: readonly Measured[]): Interval {
  const lowest = measured.reduce((low, each) => Math.min(low, each.value, each.interval?.[0] ?? 1), 1)
  const start = Math.floor((lowest - 0.02) * 10) / 10
  return [Math.max(0, Math.min(0.8, start)), 1]
}

/** From zero to a little above the highest: errors in the unit of the target, less is better. */
export function amountDomain(measured: readonly Measured[]): Interval {
  const highest = measured.reduce((high, each) => Math.max(high, each.value, each.interval?.[1] ?? 0), 0)
  return [0, highest > 0 ? highest * 1.06 : 1]
}

/** Position in the domain, 0..1, kept inside. */
export function placeIn([low, high]: Interval, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

/** Round marks of the domain. */
export function intervalTicks(domain: Interval): number[] {
  return roundTicks(domain, 4)
}

/** True when two intervals have no value in common; the only case in which a difference may be called one. */
export function areApart(a: Interval, b: Interval): boolean {
  return a[1] < b[0] || b[1] < a[0]
}

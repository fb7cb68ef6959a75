/** Maths of bars that start at zero and carry an error. */

import type { Interval } from '../scale/scale'

export interface Effect {
  key: string
  value: number
  /** Standard deviation; 0 draws none. */
  std: number
}

/** From the lowest end of an error bar to the highest, zero among them. */
export function effectDomain(effects: readonly Effect[]): Interval {
  const low = Math.min(0, ...effects.map(({ value, std }) => value - std))
  const high = Math.max(0, ...effects.map(({ value, std }) => value + std))
  return high > low ? [low, high] : [0, 1]
}

export interface Span {
  left: number
  width: number
}

/** Where the bar and its error lie, as fractions of the domain. */
export function effectSpans({ value, std }: Effect, [low, high]: Interval): { bar: Span; error: Span | null } {
  const at = (place: number) => (place - low) / (high - low)
  const [from, to] = [Math.min(0, value), Math.max(0, value)]
  return {
    bar: { left: at(from), width: at(to) - at(from) },
    error: std > 0 ? { left: at(value - std), width: (2 * std) / (high - low) } : null,
  }
}

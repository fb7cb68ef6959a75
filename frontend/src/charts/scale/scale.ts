/**
 * Scales and ticks shared by the drawn charts. Small enough to own: a chart library's scales would bring its whole maths.
 */

export type Interval = readonly [low: number, high: number]

export interface Scale {
  /** Domain value to pixels. */
  readonly toPx: (value: number) => number
  readonly ticks: readonly number[]
}

/** Smallest and largest finite value, or null where there is none. */
export function extent(values: Iterable<number | null | undefined>): Interval | null {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value == null || !Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low <= high ? [low, high] : null
}

/** Widens an interval by a fraction on both sides; an interval without width becomes one around its value. */
export function widened([low, high]: Interval, fraction: number): Interval {
  const width = high - low || Math.abs(high) || 1
  return [low - width * fraction, high + width * fraction]
}

/** Room around measured values; where all lie in 0..1 the axis does not leave it, for there is no accuracy of 105%. */
export function withMargin(values: Interval): Interval {
  const [low, high] = widened(values, 0.08)
  return values[0] >= 0 && values[1] <= 1 ? [Math.max(0, low), Math.min(1, high)] : [low, high]
}

/** About `count` round values (1, 2 or 5 times a power of ten) inside the interval. */
export function roundTicks([low, high]: Interval, count: number): number[] {
  if (!(high > low) || count < 1) return [low]
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const ticks: number[] = []
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index += 1) {
    ticks.push(Number((index * step).toFixed(digits)))
  }
  return ticks
}

/** A linear scale from `domain` to pixels. */
export function linearScale(domain: Interval, [from, to]: Interval, tickCount = 5): Scale {
  const width = domain[1] - domain[0] || 1
  return {
    toPx: (value) => from + ((value - domain[0]) / width) * (to - from),
    ticks: roundTicks(domain, tickCount),
  }
}

/** A logarithmic scale; the domain must be positive. Ticks stand at powers of ten, and at 2 and 5 where those are few. */
export function logScale(domain: Interval, range: Interval): Scale {
  const low = Math.log10(domain[0])
  const high = Math.log10(domain[1])
  const linear = linearScale([low, high], range)
  const ticks: number[] = []
  const factors = high - low >= 2 ? [1] : [1, 2, 5]
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(1))
      if (tick >= domain[0] * (1 - 1e-9) && tick <= domain[1] * (1 + 1e-9)) ticks.push(tick)
    }
  }
  return { toPx: (value) => linear.toPx(Math.log10(value)), ticks }
}

/** Ticks of axes whose values are moments: they stand at full minutes, days, months or years, in UTC as cells are read. Pure. */
import { type Interval, linearScale, type Scale } from './scale'

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const MONTH = 30.4375 * DAY
const YEAR = 12 * MONTH

type Unit = 'second' | 'day' | 'month' | 'year'

interface Step {
  unit: Unit
  count: number
  /** About. */
  length_s: number
}

const STEPS: readonly Step[] = [
  ...[1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR].map((length_s): Step => ({
    unit: 'second',
    count: length_s,
    length_s,
  })),
  ...[1, 2, 5, 10].map((count): Step => ({ unit: 'day', count, length_s: count * DAY })),
  ...[1, 2, 3, 6].map((count): Step => ({ unit: 'month', count, length_s: count * MONTH })),
]

export interface TimeScale extends Scale {
  /** As exact as the ticks stand apart. */
  readonly formatTick: (value: number) => string
}

/** A linear scale of seconds since 1970 with about so many ticks. */
export function timeScale(domain: Interval, range: Interval, count = 5, locale = document.documentElement.lang || 'en'): TimeScale {
  const step = stepFor((domain[1] - domain[0]) / Math.max(1, count))
  return { toPx: linearScale(domain, range).toPx, ticks: ticksIn(domain, step), formatTick: (value) => written(value, step, locale) }
}

function stepFor(rough_s: number): Step {
  const found = STEPS.find(({ length_s }) => length_s >= rough_s)
  if (found) return found
  const years = Math.max(1, rough_s / YEAR)
  const power = 10 ** Math.floor(Math.log10(years))
  const count = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= years) ?? power * 10
  return { unit: 'year', count, length_s: count * YEAR }
}

function ticksIn([low, high]: Interval, step: Step): number[] {
  const ticks: number[] = []
  for (let at = firstOf(low, step); at <= high; at = nextOf(at, step)) if (at >= low) ticks.push(at)
  return ticks.length > 0 ? ticks : [low]
}

const utc = (year: number, month = 0, day = 1) => new Date(0).setUTCFullYear(year, month, day) / 1000

function firstOf(low_s: number, { unit, count }: Step): number {
  const date = new Date(low_s * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (unit === 'second') return Math.ceil(low_s / count) * count
  if (unit === 'day') return utc(year, month, date.getUTCDate() - ((date.getUTCDate() - 1) % count))
  if (unit === 'month') return utc(year, month - (month % count))
  return utc(year - (((year % count) + count) % count))
}

function nextOf(at_s: number, { unit, count }: Step): number {
  const date = new Date(at_s * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (unit === 'second') return at_s + count
  if (unit === 'month') return utc(year, month + count)
  if (unit === 'year') return utc(year + count)
  // Days are counted from the first of each month; one that would stand beside the next first is left out.
  const next = date.getUTCDate() + count
  const lastDay = new Date(utc(year, month + 1, 0) * 1000).getUTCDate()
  return next > lastDay - (count > 1 ? count / 2 : 0) ? utc(year, month + 1) : utc(year, month, next)
}

function written(seconds: number, { unit, count }: Step, locale: string): string {
  const isMidnight = seconds % DAY === 0
  const style: Intl.DateTimeFormatOptions =
    unit === 'year'
      ? { year: 'numeric' }
      : unit === 'month'
        ? { year: 'numeric', month: 'short' }
        : unit === 'day' || isMidnight
          ? { month: 'short', day: 'numeric' }
          : { hour: '2-digit', minute: '2-digit', hour12: false, ...(count < MINUTE && { second: '2-digit' }) }
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(seconds * 1000)
}

/** Maths of values over periods of the same length. Pure. */
import type { Interval } from '../scale/scale'

export interface Series {
  key: string
  title: string
  color: string
  /** One a period; null where nothing is known. */
  values: readonly (number | null)[]
  /** Around each value, where it is only estimated or where the middle of many lies. */
  bounds?: readonly (Interval | null)[]
}

export interface Bar {
  low: number
  high: number
}

/** Bars of a period stand on each other. */
export function stacked(series: readonly Series[], length: number): Bar[][] {
  const tops = new Array<number>(length).fill(0)
  return series.map((each) =>
    tops.map((low, place) => {
      const high = low + (each.values[place] ?? 0)
      tops[place] = high
      return { low, high }
    }),
  )
}

/** From 0, unless something lies below, to a little above the highest. */
export function heightOf(series: readonly Series[], isStacked: boolean, length: number): Interval {
  const tops = isStacked
    ? (stacked(series, length).at(-1) ?? []).map((bar) => bar.high)
    : series.flatMap((each) => [...each.values, ...(each.bounds ?? []).flatMap((bounds) => bounds ?? [])]).filter((value) => value !== null)
  const low = Math.min(0, ...tops)
  const high = Math.max(low, ...tops)
  return [low, high > low ? high + (high - low) * 0.06 : low + 1]
}

/** Stretches of neighbouring periods with a value: a line does not lead across a gap. */
export function stretches(values: readonly (number | null)[]): [place: number, value: number][][] {
  const found: [number, number][][] = []
  values.forEach((value, place) => {
    if (value === null) return
    const last = found.at(-1)
    if (last && last.at(-1)?.[0] === place - 1) last.push([place, value])
    else found.push([[place, value]])
  })
  return found
}

/** Periods that are named below the axis: at most so many, evenly apart, counted from the last. */
export function namedPlaces(length: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, most)))
  const places: number[] = []
  for (let place = length - 1; place >= 0; place -= step) places.unshift(place)
  return places
}

/** The last period of which something is known, so that more than dashes is read first. Bars of 0 are nothing to see. */
export function lastKnown(series: readonly Series[], length: number, isZeroNothing: boolean, otherwise = length - 1): number {
  for (let place = length - 1; place >= 0; place -= 1)
    if (series.some(({ values }) => values[place] != null && !(isZeroNothing && values[place] === 0))) return place
  return otherwise
}

/** Maths of the waterfall: from the mean answer over what each column adds or takes to this one. */

import { extent, type Interval, widened } from '../scale/scale'

export interface Contribution {
  column: string
  cell: string
  value: number
}

export interface Step extends Contribution {
  /** Where the bar begins and ends. */
  from: number
  to: number
  /** How many columns it stands for; 1 but for the rest. */
  num: number
}

export interface Waterfall {
  base: number
  answer: number
  steps: Step[]
}

/** The largest contributions first, the smallest together as one; their ends join up. */
export function waterfall(base: number, contributions: readonly Contribution[], max = 9): Waterfall {
  const sorted = [...contributions].sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
  const shown = sorted.length > max ? sorted.slice(0, max - 1) : sorted
  const rest = sorted.slice(shown.length)
  const all = [
    ...shown.map((one) => ({ ...one, num: 1 })),
    ...(rest.length ? [{ column: '', cell: '', value: rest.reduce((sum, { value }) => sum + value, 0), num: rest.length }] : []),
  ]
  let at = base
  const steps = all.map((one) => ({ ...one, from: at, to: (at += one.value) }))
  return { base, answer: at, steps }
}

/** What the bars need of the axis. */
export function waterfallDomain({ base, answer, steps }: Waterfall): Interval {
  return widened(extent([base, answer, ...steps.flatMap(({ from, to }) => [from, to])]) ?? [0, 1], 0.03)
}

/** Maths of parallel coordinates: one axis a parameter and one for the value, one line a trial. */

import { extent, withMargin, linearScale, type Interval, type Scale } from '../scale/scale'
import { trialAxis, varyingParams, type TrialPoint } from '../trial-scatter/scatter'

export const VALUE_AXIS = 'value'
/** More do not fit side by side. */
export const MOST_AXES = 9

export interface ParallelAxis {
  name: string
  /** Of choices these, else null. */
  choices: readonly string[] | null
  scale: Scale
  place: (trial: TrialPoint) => number | null
}

/** The axes of trials that have a value: parameters in which they differ, then the value. */
export function parallelAxes(trials: readonly TrialPoint[], range_px: Interval): ParallelAxis[] {
  const names = varyingParams(trials).slice(0, MOST_AXES - 1)
  const params = names.map((name) => {
    const axis = trialAxis(trials, name, range_px)
    return { name, choices: axis.kind === 'choice' ? axis.choices : null, scale: axis.scale, place: axis.place }
  })
  const scale = linearScale(withMargin(extent(trials.map((trial) => trial.value)) ?? [0, 1]), range_px, 4)
  return [...params, { name: VALUE_AXIS, choices: null, scale, place: (trial) => (trial.value === null ? null : scale.toPx(trial.value)) }]
}

/** A line through the axes; it is broken where a trial lacks the parameter. */
export function parallelPath(axes: readonly ParallelAxis[], trial: TrialPoint, toX: (index: number) => number): string {
  let isDown = false
  const parts: string[] = []
  axes.forEach((axis, index) => {
    const y = axis.place(trial)
    if (y !== null) parts.push(`${isDown ? 'L' : 'M'}${toX(index)} ${y}`)
    isDown = y !== null
  })
  return parts.join('')
}

/** How good a value is among those of all: 0 the worst, 1 the best, by rank. */
export function goodness(trials: readonly TrialPoint[], isHigherBetter: boolean): ReadonlyMap<string, number> {
  const measured = trials.filter((trial) => trial.value !== null)
  const ordered = [...measured].sort((a, b) => ((a.value ?? 0) - (b.value ?? 0)) * (isHigherBetter ? 1 : -1))
  return new Map(ordered.map((trial, index) => [trial.id, ordered.length > 1 ? index / (ordered.length - 1) : 1]))
}

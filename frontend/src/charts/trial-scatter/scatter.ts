/** Maths of the trial scatter: one point a trial, value upwards, number or a parameter to the right. */

import { extent, linearScale, logScale, widened, type Interval, type Scale } from '../scale/scale'

export interface TrialPoint {
  id: string
  number: number
  state: string
  value: number | null
  params: Record<string, string | number | boolean>
}

export const NUMBER_AXIS = 'number'

/** Parameters in which the trials differ; a parameter that never changes explains nothing. */
export function varyingParams(trials: readonly TrialPoint[]): string[] {
  const seen = new Map<string, Set<string>>()
  for (const trial of trials) {
    for (const [name, value] of Object.entries(trial.params)) {
      seen.set(name, (seen.get(name) ?? new Set()).add(String(value)))
    }
  }
  return [...seen].filter(([, values]) => values.size > 1).map(([name]) => name)
}

export type TrialAxis =
  | { kind: 'numeric'; scale: Scale; place: (trial: TrialPoint) => number | null }
  | { kind: 'choice'; choices: string[]; scale: Scale; place: (trial: TrialPoint) => number | null }

/** The horizontal axis for the trial's number or one parameter; logarithmic where values span two decades or more. */
export function trialAxis(trials: readonly TrialPoint[], name: string, range_px: Interval): TrialAxis {
  const valueOf = (trial: TrialPoint) => (name === NUMBER_AXIS ? trial.number : trial.params[name])
  const values = trials.map(valueOf).filter((value) => value !== undefined)
  if (values.every((value) => typeof value === 'number')) {
    const domain = extent(values) ?? [0, 1]
    const isLog = name !== NUMBER_AXIS && domain[0] > 0 && domain[1] / domain[0] >= 100
    const scale = isLog ? logScale(domain, range_px) : linearScale(widened(domain, 0.03), range_px)
    return { kind: 'numeric', scale, place: (trial) => placed(valueOf(trial), (value) => scale.toPx(Number(value))) }
  }
  const choices = [...new Set(values.map(String))].sort()
  const scale = linearScale([-0.5, choices.length - 0.5], range_px)
  return { kind: 'choice', choices, scale, place: (trial) => placed(valueOf(trial), (value) => scale.toPx(choices.indexOf(String(value)))) }
}

function placed<T>(value: T | undefined, toPx: (value: T) => number): number | null {
  return value === undefined ? null : toPx(value)
}

/** The best value so far after each finished trial, in order of number. */
export function bestSoFar(trials: readonly TrialPoint[], isHigherBetter: boolean): { number: number; value: number }[] {
  const steps: { number: number; value: number }[] = []
  let best: number | null = null
  for (const trial of [...trials].sort((a, b) => a.number - b.number)) {
    if (trial.value === null || trial.state !== 'succeeded') continue
    if (best === null || (isHigherBetter ? trial.value > best : trial.value < best)) {
      best = trial.value
      steps.push({ number: trial.number, value: best })
    }
  }
  return steps
}

/** Stairs through the steps up to `end_px`. */
export function stairPath(points: readonly { x: number; y: number }[], end_px: number): string {
  const [first, ...rest] = points
  if (!first) return ''
  return `M${first.x} ${first.y}${rest.map((point) => `H${point.x}V${point.y}`).join('')}H${end_px}`
}

/** What the pages draw of trials. */

import type { Curve } from '../../../charts/learning-curves/align'
import type { TrialPoint } from '../../../charts/trial-scatter/scatter'

type ParamValue = string | number | boolean

export interface TrialLike {
  id: string
  number: number
  state: string
  train: { family: string; size: string; params: Record<string, ParamValue> }
  value: number | null
  curve: { step: number; epoch: number; split: 'train' | 'validation' | 'test'; values: Record<string, number> }[]
  started_at: string | null
  ended_at: string | null
}

/** Trials are counted from one for people. */
export function shownNumber(trial: { number: number }): number {
  return trial.number + 1
}

export function toCurve(trial: TrialLike, title: string): Curve {
  return { id: trial.id, title, color: trial.number, points: trial.curve }
}

/** The value on the validation split, point by point, for a sparkline. */
export function sparkValues(trial: TrialLike, metric: string): number[] {
  return trial.curve.flatMap((point) => {
    const value = point.values[metric]
    return point.split === 'validation' && value !== undefined ? [value] : []
  })
}

/** How a trial learned, for a sparkline: by its objective, or by what else was measured on the way where that was not. */
export function learningValues(trial: TrialLike, objective: string): number[] {
  const measured = trial.curve.find((point) => point.split === 'validation')?.values ?? {}
  const metric = objective in measured ? objective : Object.keys(measured)[0]
  return metric === undefined ? [] : sparkValues(trial, metric)
}

/** The running trial that stands best on validation as yet, and its value; null while none has one. */
export function leadingTrial<T extends TrialLike>(trials: readonly T[], metric: string, isHigherBetter: boolean) {
  let leading: { trial: T; value: number } | null = null
  for (const trial of trials) {
    const value = trial.state === 'running' ? sparkValues(trial, metric).at(-1) : undefined
    if (value === undefined) continue
    if (!leading || (isHigherBetter ? value > leading.value : value < leading.value)) leading = { trial, value }
  }
  return leading
}

interface Kept {
  state: string
  chosen_trial: string | null
  best_value: number | null
  objective: { is_higher_better: boolean }
}

/**
 * Of an ended study whose kept model has a worse value than one of its trials, the trial with the best value; null where none has a
 * better one, and where a person chose. What was cut off counts for nothing.
 */
export function outvaluedBy<T extends TrialLike & { members: unknown; evidence: { halted?: unknown } | null }>(
  study: Kept,
  trials: readonly T[],
  shown: (value: number | null) => string,
): T | null {
  const { best_value, objective } = study
  if (study.state === 'running' || study.chosen_trial || best_value === null) return null
  const sign = objective.is_higher_better ? 1 : -1
  const better = trials.filter(
    ({ value, members, evidence }) =>
      value !== null && !members && !evidence?.halted && sign * (value - best_value) > 0 && shown(value) !== shown(best_value),
  )
  return better.sort((a, b) => sign * ((b.value ?? 0) - (a.value ?? 0)))[0] ?? null
}

/** A point of the scatter; family and size are parameters like the others. A running trial stands at its last value. */
export function toPoint(trial: TrialLike, metric: string): TrialPoint {
  const { family, size, params } = trial.train
  return {
    id: trial.id,
    number: shownNumber(trial),
    state: trial.state,
    value: trial.value ?? sparkValues(trial, metric).at(-1) ?? null,
    params: { family, size: `${family} ${size}`, ...params },
  }
}

/** Settings as people read them, where some value of them is no number or has a name; the others stay numbers on an axis. */
export function inWords(points: readonly TrialPoint[], wordOf: (name: string, value: ParamValue) => string): TrialPoint[] {
  const named = new Set<string>()
  for (const { params } of points)
    for (const [name, value] of Object.entries(params)) if (typeof value !== 'number' || !/\d/.test(wordOf(name, value))) named.add(name)
  return points.map((point) => ({
    ...point,
    params: Object.fromEntries(Object.entries(point.params).map(([name, value]) => [name, named.has(name) ? wordOf(name, value) : value])),
  }))
}

/** Seconds that a trial has taken; null before it starts. */
export function tookSeconds(trial: TrialLike, now_ms: number): number | null {
  if (!trial.started_at) return null
  const end_ms = trial.ended_at ? Date.parse(trial.ended_at) : now_ms
  return Math.max(0, (end_ms - Date.parse(trial.started_at)) / 1000)
}

const MOST_CURVES = 5

/**
 * Ids whose curves are shown while nobody has chosen: the best and those that run, five at most. Where the best is a mean of models,
 * which has no curve, and none runs, those of the last trials that have one.
 */
export function defaultSelection(trials: readonly TrialLike[], best: string | null): string[] {
  const running = trials.filter((trial) => trial.state === 'running').map((trial) => trial.id)
  const chosen = [...new Set([...(best ? [best] : []), ...running])].slice(0, MOST_CURVES)
  const withCurve = trials.filter((trial) => trial.curve.length > 0).map((trial) => trial.id)
  if (chosen.length === 0) return withCurve.slice(-1)
  const isBlank = running.length === 0 && !chosen.some((id) => withCurve.includes(id))
  return isBlank ? [...chosen, ...withCurve.slice(1 - MOST_CURVES)] : chosen
}

/** The check of a training before it starts. */

import type { CheckedTrial, CuredSettings, Preflight } from '../api/types'
import { STRATEGIES, type StudyForm } from './study-form'

/** Whether there is more to come. */
export function isUnderWay({ job, verdict }: Pick<Preflight, 'job' | 'verdict'>): boolean {
  return verdict === null && !['cancelled', 'failed', 'stopped'].includes(job.state)
}

/** Whether time was enough to say that a model can be trained, or that it cannot. */
export function isTried({ stages }: Pick<CheckedTrial, 'stages'>): boolean {
  return stages.some(({ outcome }) => outcome === 'failed') || stages.every(({ outcome }) => outcome === 'passed')
}

/** What the time of a check rests on, as the page says it: the more of it is measured, the surer it is. */
export function basisKey({ time_basis, trials }: Pick<Preflight, 'time_basis' | 'trials'>) {
  if (time_basis === 'measured') return 'measured_all'
  if (time_basis === 'planned') return 'measured_none'
  if (trials.every(isTimed)) return 'measured_search'
  return trials.some(isTimed) ? 'measured_some' : 'measured_rough'
}

/** Whether a model's time was measured with a sample of the data. */
export function isTimed({ estimated_s, is_rough }: Pick<CheckedTrial, 'estimated_s' | 'is_rough'>): boolean {
  return estimated_s !== null && !is_rough
}

/** What a cure changes in the form. */
export function curedForm(cured: CuredSettings, form: StudyForm): Partial<StudyForm> {
  const strategy = STRATEGIES.find((name) => name === cured.strategy) ?? form.strategy
  return {
    version: cured.version,
    strategy,
    goal: null,
    families: cured.families ?? form.families,
    max_trials: cured.max_trials,
    concurrency: cured.concurrency,
    start: cured.start_from === null ? null : form.start,
    single: cured.train ? { ...cured.train, params: { ...form.single.params, ...cured.train.params } } : form.single,
    at_most: cured.at_most,
    device: cured.device,
  }
}

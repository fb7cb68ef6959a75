/** The one sentence above a report, with the caution that the numbers deserve. */

import type { Interval } from '../../../charts/scale/scale'
import { isTooFew } from '../../../lib/listed-metric'
import { hasTooFew as hasLabelTooFew } from './class-rows'
import { intervalOf } from './metric-rows'

export interface SplitFacts {
  split: string
  num_items: number
  /** Judged on these items, this one among them. */
  num_models?: number
  /** The served model has learned these items too; the figures are of models that had not. */
  is_learned?: boolean
  metrics: Record<string, number>
  intervals: Record<string, readonly number[]>
  /** For tasks that predict labels or boxes. */
  per_class?: readonly { support: number; intersection_over_union?: number | null }[]
  /** For tasks that predict exactly one label. */
  confusion?: readonly (readonly number[])[]
}

export type Caution =
  'too_few' | 'not_fit' | 'few_items' | 'wide_interval' | 'validation_only' | 'validation_learned' | 'many_looks' | 'few_of_label'

export interface Headline {
  split: string
  metric: string
  value: number
  interval: Interval | null
  num_items: number
  /** Mistakes behind the number, for accuracies only; "9 of 60" is understood by everyone. */
  num_wrong: number | null
  /** Too few items for the value to mean anything; its interval does. */
  isTooFew: boolean
  cautions: Caution[]
}

const FEW_ITEMS = 100
/** A detector that finds and names less of what is there helps nobody. */
const LEAST_AP50 = 0.4
const WIDE_FRACTION = 0.1
/** From so many models on the best one owes a part of its figure to luck. */
const MANY_LOOKS = 10
/** Of an error in the unit of the target, which has no whole to be a part of: against its own size. */
const WIDE_RELATIVE = 0.3

/** The headline of a split for the task's objective; null while the split has no value for it. `isAmount`: in the target's unit. */
export function headline(split: SplitFacts, objective: string, isAmount = false, spread: number | null = null): Headline | null {
  const value = split.metrics[objective]
  if (value === undefined) return null
  // Drawn from a handful of items that all agree, an interval has no width: saying "between 0% and 0%" would be a false certainty.
  const measured = intervalOf(split.intervals[objective])
  const interval = measured && measured[1] > measured[0] ? measured : null
  const cautions: Caution[] = []
  const hasTooFew = isTooFew(split.num_items)
  if (hasTooFew) cautions.push('too_few')
  else if (isUnfit(split, objective, value, spread)) cautions.push('not_fit')
  if (!hasTooFew && split.num_items < FEW_ITEMS) cautions.push('few_items')
  if (!hasTooFew && isMeanOfLabels(objective) && split.per_class?.some(hasLabelTooFew)) cautions.push('few_of_label')
  const limit = isAmount ? Math.abs(value) * WIDE_RELATIVE : WIDE_FRACTION
  if (interval && interval[1] - interval[0] > limit) cautions.push('wide_interval')
  if (split.split !== 'test') cautions.push('validation_only')
  if (split.is_learned) cautions.push('validation_learned')
  if (split.split === 'test' && (split.num_models ?? 1) >= MANY_LOOKS) cautions.push('many_looks')
  const num_wrong = objective === 'accuracy' ? Math.round((1 - value) * split.num_items) : null
  return { split: split.split, metric: objective, value, interval, num_items: split.num_items, num_wrong, isTooFew: hasTooFew, cautions }
}

/** Whether every label counts alike in a metric, so that a handful of items of one can move it far. */
const isMeanOfLabels = (metric: string): boolean => metric.endsWith('_macro')

/** Whether a model answers no better than somebody who does not look at the items, or finds hardly anything. */
function isUnfit(split: SplitFacts, objective: string, value: number, spread: number | null): boolean {
  if (objective === 'ap50') return value < LEAST_AP50
  if (objective === 'rmse') return spread !== null && value >= spread
  if (objective !== 'accuracy' || !split.confusion?.length) return false
  const commonest = Math.max(...(split.per_class ?? []).map((each) => each.support), 0)
  return value <= commonest / split.num_items
}

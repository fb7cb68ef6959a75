import type { SplitFields, SplitRule } from '../api/types'

export type SplitBy = SplitRule['by']

/** What can decide on the splits, the usual first. */
export const SPLIT_BYS: readonly SplitBy[] = ['labels', 'time', 'value', 'named']

/** Names that columns of splits have. */
const NAMES = /^(split|splits|subset|partition|fold|set|part|划分|数据划分|数据集)$/i

/** The rule with the field that is likeliest; an empty one where a person must choose. By time, empty means the upload. */
export function ruleBy(by: SplitBy, fields: SplitFields): SplitRule {
  if (by === 'time') return { by, field: fields.moments[0] ?? '' }
  if (by === 'named') return { by, field: fields.values.find((name) => NAMES.test(name)) ?? '' }
  return { by, field: '' }
}

/** Whether a rule can be tried. */
export function isWhole(rule: SplitRule): boolean {
  return rule.by === 'labels' || rule.by === 'time' || rule.field !== ''
}

/** Whether there is anything by which a rule could decide. */
export function isPossible(by: SplitBy, fields: SplitFields): boolean {
  return by === 'labels' || by === 'time' || fields.values.length > 0
}

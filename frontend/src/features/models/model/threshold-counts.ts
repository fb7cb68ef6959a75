/** What a threshold of one label makes of the judged items, counted in the page from the curves that a report holds. Pure. */

export type Outcome = 'found' | 'missed' | 'false_alarm' | 'rest'

export interface ThresholdTable {
  label: string
  /** Items that carry the label; objects of it where objects are drawn. */
  support: number
  /** All items; null where objects are drawn, of which there is no end of places without one. */
  total: number | null
  /** From the highest score to the lowest: counts of predictions from that score on. */
  points: readonly { score: number; found: number; false_alarms: number }[]
}

/** By outcome; `rest` is null where objects are drawn. */
export type ThresholdCounts = Record<Exclude<Outcome, 'rest'>, number> & { rest: number | null }

export interface Costs {
  miss: number
  false_alarm: number
}

interface SplitLike {
  num_items: number
  per_class: readonly { label: string; support: number }[]
  confusion: readonly unknown[]
  precision_recall: readonly {
    label: string
    recall: readonly number[]
    precision: readonly number[]
    score: readonly number[]
    num_wrong?: readonly number[]
  }[]
  roc: readonly {
    label: string
    false_positive_rate: readonly number[]
    true_positive_rate: readonly number[]
    score: readonly number[]
  }[]
}

/** Two labels that exclude each other: a threshold of one is a threshold of the other. */
export function isPair(labels: readonly string[], split: Pick<SplitLike, 'confusion'>): boolean {
  return labels.length === 2 && split.confusion.length > 0
}

/** A table for each label of which the report holds a curve. */
export function thresholdTables(split: SplitLike, isOfWhole: boolean): ThresholdTable[] {
  return split.per_class.flatMap(({ label, support }) => {
    const roc = split.roc.find((curve) => curve.label === label)
    const ranked = split.precision_recall.find((curve) => curve.label === label)
    const total = isOfWhole ? split.num_items : null
    const points = roc ? ofRoc(roc, support, split.num_items - support) : ranked ? ofRanked(ranked, support) : []
    return support > 0 && points.length > 0 ? [{ label, support, total, points }] : []
  })
}

function ofRoc({ score, ...rates }: SplitLike['roc'][number], support: number, others: number): ThresholdTable['points'] {
  return score.map((each, index) => ({
    score: each,
    found: Math.round((rates.true_positive_rate[index] ?? 0) * support),
    false_alarms: Math.round((rates.false_positive_rate[index] ?? 0) * others),
  }))
}

/** Without a count of what is wrong it follows from the precision, where anything is found. */
function ofRanked(
  { score, recall, precision, num_wrong }: SplitLike['precision_recall'][number],
  support: number,
): ThresholdTable['points'] {
  return score.flatMap((each, index) => {
    const found = Math.round((recall[index] ?? 0) * support)
    const right = precision[index] ?? 0
    const false_alarms = num_wrong?.[index] ?? (right > 0 ? Math.round(found / right) - found : null)
    return false_alarms === null ? [] : [{ score: each, found, false_alarms }]
  })
}

export function countsAt({ points, support, total }: ThresholdTable, threshold: number): ThresholdCounts {
  const { found, false_alarms } = points.findLast(({ score }) => score >= threshold) ?? { found: 0, false_alarms: 0 }
  return { found, missed: support - found, false_alarm: false_alarms, rest: total === null ? null : total - support - false_alarms }
}

export interface Rates {
  /** Null where the label is never predicted. */
  precision: number | null
  recall: number
  f1: number
  /** Null where objects are drawn. */
  accuracy: number | null
}

export function ratesOf({ found, missed, false_alarm, rest }: ThresholdCounts): Rates {
  const predicted = found + false_alarm
  return {
    precision: predicted > 0 ? found / predicted : null,
    recall: found / (found + missed),
    f1: (2 * found) / (2 * found + missed + false_alarm),
    accuracy: rest === null ? null : (found + rest) / (found + missed + false_alarm + rest),
  }
}

export function costOf({ missed, false_alarm }: Pick<ThresholdCounts, 'missed' | 'false_alarm'>, costs: Costs): number {
  return missed * costs.miss + false_alarm * costs.false_alarm
}

/** The threshold that costs least, half way to the next score below, for a margin on both sides. */
export function cheapestThreshold({ points, support }: ThresholdTable, costs: Costs): number {
  const never = { score: 1, found: 0, false_alarms: 0 }
  const all = points[0]?.found || points[0]?.false_alarms ? [never, ...points] : points
  let best = 0
  const costAt = (index: number) =>
    costOf({ missed: support - (all[index]?.found ?? 0), false_alarm: all[index]?.false_alarms ?? 0 }, costs)
  for (let index = 1; index < all.length; index += 1) if (costAt(index) < costAt(best)) best = index
  const [score, below] = [Math.min(1, all[best]?.score ?? 1), Math.min(1, all[best + 1]?.score ?? 0)]
  return clamped((score + below) / 2)
}

/** Four digits, and never so far out that the other of two labels would have none. */
export function clamped(threshold: number): number {
  return Math.min(0.9999, Math.max(0.0001, Math.round(threshold * 1e4) / 1e4))
}

/** The thresholds of a model when one label's changes; the other of a pair has what is left of one. */
export function changedThresholds(
  before: Readonly<Record<string, number>>,
  label: string,
  threshold: number,
  other: string | null,
): Record<string, number> {
  return { ...before, [label]: threshold, ...(other === null ? {} : { [other]: Math.round((1 - threshold) * 1e4) / 1e4 }) }
}

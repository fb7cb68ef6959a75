/** Guarantees of a report: which can be chosen, and what they cost. Pure. */

interface MeasureLike {
  num_items: number
  num_covered: number
  num_asked: number
  num_wrong: number
  interval: readonly number[]
}

interface LimitsLike {
  error_rate: number
  scope: 'all' | 'label'
  limits: Readonly<Record<string, number>>
  measure: MeasureLike | null
}

export interface CoverageCosts {
  /** Of an answer that is wrong and that nobody checks. */
  wrong: number
  /** Of a person who looks at an item. */
  asked: number
}

/** Other models than the one that answers, which set its limits: those of folds, or one that had learned less. */
export type LimitsSetBy = 'folds' | 'earlier' | null

interface JudgedLike {
  judgement?: { by: 'split' | 'folds' } | null
  splits: readonly { split: string; is_learned?: boolean }[]
}

/** Whose answers set the limits of a report. */
export function limitsSetBy({ judgement, splits }: JudgedLike): LimitsSetBy {
  if (judgement?.by === 'folds') return 'folds'
  return splits.some(({ split, is_learned }) => split === 'validation' && is_learned) ? 'earlier' : null
}

/** Error rates, from the strictest. */
export function ratesOf(lines: readonly { error_rate: number }[]): number[] {
  return [...new Set(lines.map((line) => line.error_rate))].sort((one, other) => one - other)
}

/** The rate that is looked at first: the one in use, else the usual one, else the strictest for which there are enough items. */
export function firstRate(lines: readonly { error_rate: number; isEnough: boolean }[], inUse: number | undefined): number | undefined {
  const possible = lines.filter((line) => line.isEnough)
  const chosen = [inUse, USUAL].find((rate) => possible.some((line) => line.error_rate === rate))
  return chosen ?? ratesOf(possible.length ? possible : lines)[0]
}

const USUAL = 0.1

/** Shares of the measured items, 0..1. */
export function sharesOf({ num_items, num_covered, num_asked, num_wrong }: MeasureLike) {
  return {
    covered: num_covered / num_items,
    asked: num_asked / num_items,
    wrong: num_wrong / num_items,
    alone: (num_items - num_asked) / num_items,
  }
}

/** Whether the whole 95% interval of the share that was covered lies below what the error rate promises. */
export function isBelow({ interval }: Pick<MeasureLike, 'interval'>, errorRate: number): boolean {
  const [, high = 1] = interval
  return high < 1 - errorRate
}

export function coverageCost(measure: Pick<MeasureLike, 'num_wrong' | 'num_asked'>, costs: CoverageCosts): number {
  return measure.num_wrong * costs.wrong + measure.num_asked * costs.asked
}

/** The measured line of a scope that costs least, the stricter of equal ones; undefined where none was measured. */
export function cheapestLine<Line extends LimitsLike>(
  lines: readonly Line[],
  scope: Line['scope'],
  costs: CoverageCosts,
): Line | undefined {
  let best: Line | undefined
  let least = Infinity
  for (const line of [...lines].sort((one, other) => one.error_rate - other.error_rate)) {
    if (line.scope !== scope || !line.measure) continue
    const cost = coverageCost(line.measure, costs)
    if (cost < least) [best, least] = [line, cost]
  }
  return best
}

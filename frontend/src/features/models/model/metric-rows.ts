/** Turns the metrics of one or two split reports into rows of interval bars. */

import { formatMetric, isPlainMetric } from '../../../charts/format/format'
import type { IntervalRow } from '../../../charts/interval-bars/interval-bars'
import type { Interval } from '../../../charts/scale/scale'
import type { LocalText } from '../../../lib/local-text'

interface MetricLike {
  name: string
  title: LocalText
  help: LocalText
  unit: string
}

interface SplitLike {
  metrics: Record<string, number>
  intervals: Record<string, readonly number[]>
}

/** The interval from the server; null without one. */
export function intervalOf(ends: readonly number[] | undefined): Interval | null {
  const [low, high] = ends ?? []
  return low !== undefined && high !== undefined ? [low, high] : null
}

/** One row for each metric of a unit that any split has; losses have no place on an axis of per cent. */
export function intervalRows(
  metrics: readonly MetricLike[],
  splits: readonly SplitLike[],
  text: (text: LocalText) => string,
  unit: 'fraction' | 'target' = 'fraction',
): IntervalRow[] {
  return metrics
    .filter((metric) => metric.unit === unit && splits.some((split) => split.metrics[metric.name] !== undefined))
    .map((metric) => ({
      key: metric.name,
      title: text(metric.title),
      help: text(metric.help),
      format: (value) => formatMetric(metric.name, value),
      isPlain: isPlainMetric(metric.name),
      measured: splits.map((split) => {
        const value = split.metrics[metric.name]
        if (value === undefined) return null
        return { value, interval: intervalOf(split.intervals[metric.name]) }
      }),
    }))
}

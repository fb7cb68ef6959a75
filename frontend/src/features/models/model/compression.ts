import type { FrontPoint } from '../../../charts/front-scatter/front-scatter'
import type { Budget, Compared, Compression } from '../api/types'

const MEGABYTE = 1024 * 1024
const RUNNING = new Set(['queued', 'leased', 'running'])

/** The form: percentage points, milliseconds and megabytes; an empty field is no limit. */
export interface BudgetFields {
  points: number | ''
  latency_ms: number | ''
  megabytes: number | ''
}

export const FIRST_BUDGET: BudgetFields = { points: 0.5, latency_ms: '', megabytes: '' }

export function budgetOf({ points, latency_ms, megabytes }: BudgetFields): Budget {
  return {
    max_loss: points === '' ? null : points / 100,
    max_latency_ms: latency_ms === '' ? null : latency_ms,
    max_bytes: megabytes === '' ? null : Math.round(megabytes * MEGABYTE),
  }
}

export const isRunning = ({ job }: Pick<Compression, 'job'>): boolean => job !== null && RUNNING.has(job.state)

/** A change in percentage points, with its sign: what a candidate gains, or below 0 what it loses. */
export function pointsOf(loss: number): string {
  const points = (-loss * 100).toFixed(1)
  if (Number(points) === 0) return '0.0'
  return Number(points) > 0 ? `+${points}` : points.replace('-', '−')
}

/** The original and its candidates as points of the front. */
export function frontOf(
  compared: Compared,
  original: string,
  text: (title: Compared['candidates'][number]['title']) => string,
): FrontPoint[] {
  const point = (id: string, name: string, at: Compared['original'], rank: FrontPoint['rank']): FrontPoint => ({
    id,
    name,
    x: at.latency_ms,
    xInterval: [at.latency_interval[0] ?? at.latency_ms, at.latency_interval[1] ?? at.latency_ms],
    y: at.value,
    rank,
  })
  return [
    point('', original, compared.original, 'original'),
    ...compared.candidates.map(({ measured, title, over }) =>
      point(measured.method, text(title), measured.point, over.length > 0 ? 'beaten' : 'front'),
    ),
  ]
}

/** The candidate that is shown first: within the budget, then the one that answers fastest. */
export function ranked(candidates: Compared['candidates']): Compared['candidates'] {
  return [...candidates].sort(
    (one, other) =>
      Number(one.over.length > 0) - Number(other.over.length > 0) || one.measured.point.latency_ms - other.measured.point.latency_ms,
  )
}

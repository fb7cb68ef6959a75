/**
 * Turns the curves of several trials into the columns that uPlot draws: one shared x column, one y column for each
 * (trial, split) pair that has the metric.
 */

export type CurveAxis = 'epoch' | 'step'

export interface CurvePoint {
  step: number
  epoch: number
  split: string
  values: Record<string, number | null>
}

export interface Curve {
  /** Stable across updates, so that a hidden line stays hidden. */
  id: string
  title: string
  /** Place in the palette, so that a curve keeps its colour when others come and go; its index otherwise. */
  color?: number
  points: readonly CurvePoint[]
}

export interface Line {
  key: string
  title: string
  split: string
  /** Place in the palette; lines of one trial share it. */
  color: number
}

export interface AlignedCurves {
  lines: Line[]
  /** x first, then one column a line; null where a line has no point. */
  columns: [number[], ...(number | null)[][]]
}

/** Aligns one metric of all curves; points of one line at the same x keep the last value. */
export function alignCurves(curves: readonly Curve[], metric: string, axis: CurveAxis): AlignedCurves {
  const lines: Line[] = []
  const values: Map<number, number>[] = []
  curves.forEach((curve, index) => {
    const bySplit = new Map<string, Map<number, number>>()
    for (const point of curve.points) {
      const value = point.values[metric]
      if (value == null || !Number.isFinite(value)) continue
      const line = bySplit.get(point.split) ?? new Map<number, number>()
      line.set(point[axis], value)
      bySplit.set(point.split, line)
    }
    for (const [split, line] of bySplit) {
      lines.push({ key: `${curve.id}/${split}`, title: curve.title, split, color: curve.color ?? index })
      values.push(line)
    }
  })
  const xs = [...new Set(values.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b)
  return { lines, columns: [xs, ...values.map((line) => xs.map((x) => line.get(x) ?? null))] }
}

/** All metrics that any curve has, losses last, otherwise in order of appearance. */
export function curveMetrics(curves: readonly Curve[]): string[] {
  const names = new Set<string>()
  for (const curve of curves) for (const point of curve.points) Object.keys(point.values).forEach((name) => names.add(name))
  const isLoss = (name: string) => name.endsWith('loss')
  return [...names].sort((a, b) => Number(isLoss(a)) - Number(isLoss(b)))
}

/** The last value of a column with its x, for the legend and the table. */
export function lastValue(aligned: AlignedCurves, line: number): { x: number; value: number } | null {
  const column = aligned.columns[line + 1] as (number | null)[]
  for (let index = column.length - 1; index >= 0; index -= 1) {
    const value = column[index]
    if (value != null) return { x: aligned.columns[0][index] as number, value }
  }
  return null
}

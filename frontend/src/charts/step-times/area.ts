/** Areas of a chart of times a step. */

export interface StepTime {
  step: number
  wait_ms: number
  compute_ms: number
}

/** An SVG path around the area between two lines over the steps. */
export function areaPath(
  points: readonly StepTime[],
  low: (point: StepTime) => number,
  high: (point: StepTime) => number,
  toX: (step: number) => number,
  toY: (value_ms: number) => number,
): string {
  if (points.length === 0) return ''
  const line = (of: (point: StepTime) => number, from: readonly StepTime[]) =>
    from.map((point) => `${toX(point.step).toFixed(1)},${toY(of(point)).toFixed(1)}`)
  return `M${[...line(high, points), ...line(low, [...points].reverse())].join('L')}Z`
}

/** What the vertical axis reaches: a single slow point may not flatten all others. */
export function highestOf(points: readonly StepTime[]): number {
  const sums = points.map((point) => point.wait_ms + point.compute_ms).sort((one, other) => one - other)
  const most = sums.at(-1) ?? 0
  const usual = sums[Math.floor(0.9 * (sums.length - 1))] ?? 0
  return Math.max(1e-3, Math.min(most, 3 * usual))
}

/** Points of a precision-recall curve as an SVG path, and the point of a threshold. */

export interface PrecisionRecallCurve {
  label: string
  /** All of one length, from the highest score to the lowest. */
  recall: readonly number[]
  precision: readonly number[]
  score: readonly number[]
}

/** A path from recall 0 along the points; empty for a curve without any. */
export function curvePath(curve: PrecisionRecallCurve, toX: (value: number) => number, toY: (value: number) => number): string {
  const first = curve.precision[0]
  if (first === undefined) return ''
  const points = curve.recall.map((recall, index) => `L${toX(recall).toFixed(1)} ${toY(curve.precision[index] ?? 0).toFixed(1)}`)
  return `M${toX(0).toFixed(1)} ${toY(first).toFixed(1)}${points.join('')}`
}

/** What the label's threshold buys: the last point whose score still reaches it; null when none does. */
export function pointAt(curve: PrecisionRecallCurve, threshold: number): { recall: number; precision: number } | null {
  const index = curve.score.findLastIndex((score) => score >= threshold)
  const [recall, precision] = [curve.recall[index], curve.precision[index]]
  return recall === undefined || precision === undefined ? null : { recall, precision }
}

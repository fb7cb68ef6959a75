/** Rows of x, y, width, height as fractions of the picture, score, index of the label: what answers with boxes begin with. */
import type { BoxAnnotation } from '../api'
import { type Answer, rounded, SCORE_DIGITS, type Size } from './kind'

export type Row = readonly number[]

export const ROW_LENGTH = 6
const PIXEL_DIGITS = 2
const SMALLEST_PX = 0.01
/** Golden boxes from this score on are all compared; of those below, the best few. */
export const LOWEST_BOX_SCORE = 0.05
/** So many of the best boxes of each side are compared whatever their score: a weak detector has no others. */
export const NUM_ALWAYS = 10
/** Below it the last digits of a written score would weigh too much. */
const LEAST_BOX_SCORE = LOWEST_BOX_SCORE / 50
/** Difference that counts for a box which only one side knows. */
const MISSING_BOX = 1

/** The rows that hold a box, whatever follows it. */
export function rowsOf({ data, axes }: Answer): Row[] {
  const [number = 0, length = 0] = axes
  const rows = Array.from({ length: number }, (_, place) => [...data.subarray(place * length, (place + 1) * length)])
  return rows.filter((row) => (row[4] ?? 0) > 0)
}

const within = (fraction: number) => Math.min(1, Math.max(0, fraction))

/** Where a box lies, in pixels of the picture and within it. */
export function placeOf([x = 0, y = 0, wide = 0, high = 0]: Row, { width, height }: Size) {
  const [left, right] = [within(x) * width, within(x + wide) * width]
  const [upper, lower] = [within(y) * height, within(y + high) * height]
  return {
    x: rounded(left, PIXEL_DIGITS),
    y: rounded(upper, PIXEL_DIGITS),
    width: Math.max(SMALLEST_PX, rounded(right - left, PIXEL_DIGITS)),
    height: Math.max(SMALLEST_PX, rounded(lower - upper, PIXEL_DIGITS)),
  } satisfies Partial<BoxAnnotation>
}

export const scoreOf = (row: Row): number => Math.min(1, rounded(row[4] ?? 0, SCORE_DIGITS))

/** The largest difference of a side or, if wanted, of the score. */
export const sidesApart = (one: Row, other: Row, hasScore = false): number =>
  Math.max(...(hasScore ? [0, 1, 2, 3, 4] : [0, 1, 2, 3]).map((side) => Math.abs((other[side] ?? NaN) - (one[side] ?? NaN))))

/** Golden rows, with the places of their labels among those of the model. */
export const goldenRows = (rows: readonly number[][], names: readonly string[], labels: readonly string[]): Row[] =>
  rows.map((row) => [...row.slice(0, 5), labels.indexOf(names[row[5] ?? -1] ?? '')])

/** How far boxes are from golden ones: the larger of both ways, what is missing there and what is too much here. */
export const rowsApart = (expected: readonly Row[], given: readonly Row[], most: number): number =>
  Math.max(farthest(expected, given, most), farthest(given, expected, most))

/** How far the worst of the expected boxes is from the nearest of its label; see `_farthest` of the Python runtime. */
function farthest(expected: readonly Row[], actual: readonly Row[], most: number): number {
  let worst = 0
  for (const [place, row] of expected.entries()) {
    const score = row[4] ?? 0
    const isLow = score <= LOWEST_BOX_SCORE
    const isAtCut = place > 0 && place === expected.length - 1 && (isLow || expected.length === most)
    if (isAtCut || (isLow && place >= NUM_ALWAYS)) continue
    let nearest = Infinity
    for (const other of actual) {
      if (other[5] !== row[5]) continue
      const otherScore = other[4] ?? 0
      const scale = Math.min(LOWEST_BOX_SCORE, Math.max(LEAST_BOX_SCORE, otherScore, score))
      const apart = Math.max(sidesApart(row, other), (Math.abs(otherScore - score) * LOWEST_BOX_SCORE) / scale)
      nearest = Math.min(nearest, Number.isNaN(apart) ? MISSING_BOX : apart)
    }
    if (nearest === Infinity) return MISSING_BOX
    worst = Math.max(worst, nearest)
  }
  return worst
}

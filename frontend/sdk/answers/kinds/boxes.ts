/** Boxes around things: rows of x, y, width, height as fractions of the picture, score, index of the label; best first. */
import type { BoxAnnotation } from '../../api'
import { ModelError } from '../../errors'
import { type Answer, type AnswerKind, floorOf, rounded, SCORE_DIGITS } from '../kind'

type Row = [x: number, y: number, width: number, height: number, score: number, index: number]

const ROW_LENGTH = 6
const PIXEL_DIGITS = 2
const SMALLEST_PX = 0.01
/** Golden boxes from this score on are all compared; of those below, the best few. */
const LOWEST_BOX_SCORE = 0.05
/** So many of the best boxes of each side are compared whatever their score: a weak detector has no others. */
const NUM_ALWAYS = 10
/** Below it the last digits of a written score would weigh too much. */
const LEAST_BOX_SCORE = LOWEST_BOX_SCORE / 50
/** Difference that counts for a box which only one side knows. */
const MISSING_BOX = 1

function rowsOf({ data, axes }: Answer): Row[] {
  const rows = Array.from({ length: axes[0] ?? 0 }, (_, place) => [...data.subarray(place * ROW_LENGTH, (place + 1) * ROW_LENGTH)] as Row)
  return rows.filter((row) => row[4] > 0)
}

const within = (fraction: number) => Math.min(1, Math.max(0, fraction))

/** How far the worst of the expected boxes is from the nearest of its label; see `_farthest` of the Python runtime. */
function farthest(expected: readonly Row[], actual: readonly Row[], most: number): number {
  let worst = 0
  for (const [place, row] of expected.entries()) {
    const isLow = row[4] <= LOWEST_BOX_SCORE
    const isAtCut = place > 0 && place === expected.length - 1 && (isLow || expected.length === most)
    if (isAtCut || (isLow && place >= NUM_ALWAYS)) continue
    let nearest = Infinity
    for (const other of actual) {
      if (other[5] !== row[5]) continue
      const scale = Math.min(LOWEST_BOX_SCORE, Math.max(LEAST_BOX_SCORE, other[4], row[4]))
      const sides = [0, 1, 2, 3].map((side) => Math.abs((other[side] ?? NaN) - (row[side] ?? NaN)))
      const apart = Math.max(...sides, (Math.abs(other[4] - row[4]) * LOWEST_BOX_SCORE) / scale)
      nearest = Math.min(nearest, Number.isNaN(apart) ? MISSING_BOX : apart)
    }
    if (nearest === Infinity) return MISSING_BOX
    worst = Math.max(worst, nearest)
  }
  return worst
}

export const KIND: AnswerKind = {
  defaultTop: 100,

  check({ axes }) {
    if (axes.length !== 2 || axes[1] !== ROW_LENGTH)
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with rows of ${ROW_LENGTH}`)
  },

  encode(answer, labels, { width, height }, options) {
    const annotations: BoxAnnotation[] = []
    for (const [x, y, wide, high, score, index] of rowsOf(answer)) {
      const label = labels[index] ?? ''
      if (score < floorOf(label, options)) continue
      const [left, right] = [within(x) * width, within(x + wide) * width]
      const [upper, lower] = [within(y) * height, within(y + high) * height]
      annotations.push({
        kind: 'box',
        label,
        x: rounded(left, PIXEL_DIGITS),
        y: rounded(upper, PIXEL_DIGITS),
        width: Math.max(SMALLEST_PX, rounded(right - left, PIXEL_DIGITS)),
        height: Math.max(SMALLEST_PX, rounded(lower - upper, PIXEL_DIGITS)),
        score: Math.min(1, rounded(score, SCORE_DIGITS)),
      })
      if (annotations.length === options.top) break
    }
    return annotations
  },

  difference(expected, names, answer, labels) {
    const expectedRows = (expected.detections ?? []).map((row) => [...row.slice(0, 5), labels.indexOf(names[row[5] ?? -1] ?? '')] as Row)
    const given = rowsOf(answer)
    const most = answer.axes[0] ?? 0
    return Math.max(farthest(expectedRows, given, most), farthest(given, expectedRows, most))
  },
}

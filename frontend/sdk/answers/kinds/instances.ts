/**
 * Single objects with their pixels: rows as of boxes, each followed by a square mask within its box, row by row: how likely each
 * cell shows the object. Masks are laid over the picture here, bilinear between the cells' centres.
 */
import type { MaskAnnotation } from '../../api'
import { ModelError } from '../../errors'
import { type AnswerKind, floorOf, rounded, type Size } from '../kind'
import { goldenRows, LOWEST_BOX_SCORE, NUM_ALWAYS, placeOf, ROW_LENGTH, type Row, rowsApart, rowsOf, scoreOf, sidesApart } from '../rows'
import { runsPack, runsUnpack } from '../run-lengths'

/** A pixel belongs to an object from this likelihood on. */
const HALF = 0.5
/** Cells so near to one half may be on the other side of it than in a golden sample: which is a matter of rounding. */
const EVEN = 0.01
const POINT_DIGITS = 2
const NOWHERE = 1e-9

const sideOf = (row: Row) => Math.sqrt(row.length - ROW_LENGTH)

interface Axis {
  /** The first pixel whose centre the box covers. */
  first: number
  /** Of each pixel the cell before it, and how far it is on the way to the next. */
  cells: number[]
  shares: number[]
}

/** Where the pixels that a box covers along an axis lie among the mask's cells. */
function between(start: number, size: number, numPixels: number, numCells: number): Axis {
  const within = (edge: number) => Math.min(1, Math.max(0, edge)) * numPixels
  const first = Math.min(Math.max(Math.ceil(within(start) - HALF), 0), numPixels - 1)
  const stop = Math.min(Math.max(Math.ceil(within(start + size) - HALF), first + 1), numPixels)
  const axis: Axis = { first, cells: [], shares: [] }
  for (let pixel = first; pixel < stop; pixel++) {
    const at = ((pixel + HALF - start * numPixels) / Math.max(size * numPixels, NOWHERE)) * numCells - HALF
    const place = Math.min(Math.max(at, 0), numCells - 1)
    axis.cells.push(Math.floor(place))
    axis.shares.push(place - Math.floor(place))
  }
  return axis
}

/** The mask of a row as run lengths of the picture. An object has at least one pixel: where none is inside, the likeliest. */
function countsOf(row: Row, { width, height }: Size): string {
  const side = sideOf(row)
  const cell = (y: number, x: number) => row[ROW_LENGTH + Math.min(y, side - 1) * side + Math.min(x, side - 1)] ?? 0
  const [columns, rows] = [between(row[0] ?? 0, row[2] ?? 0, width, side), between(row[1] ?? 0, row[3] ?? 0, height, side)]
  const edges: number[] = []
  let [likeliest, place] = [-Infinity, 0]
  columns.cells.forEach((x, column) => {
    const share = columns.shares[column] ?? 0
    const line = Array.from({ length: side }, (_, y) => cell(y, x) * (1 - share) + cell(y, x + 1) * share)
    const top = (columns.first + column) * height + rows.first
    let isInside = false
    rows.cells.forEach((y, at) => {
      const part = rows.shares[at] ?? 0
      const likely = (line[y] ?? 0) * (1 - part) + (line[Math.min(y + 1, side - 1)] ?? 0) * part
      if (likely > likeliest) [likeliest, place] = [likely, top + at]
      if (likely >= HALF === isInside) return
      isInside = !isInside
      // Else it goes on at the top of the next column.
      if (isInside && edges.at(-1) === top + at) edges.pop()
      else edges.push(top + at)
    })
    if (isInside) edges.push(top + rows.cells.length)
  })
  if (!edges.length) edges.push(place, place + 1)
  const runs = edges.map((edge, number) => edge - (number ? (edges[number - 1] ?? 0) : 0))
  const rest = width * height - (edges.at(-1) ?? 0)
  return runsPack(rest ? [...runs, rest] : runs)
}

type Point = [x: number, y: number]

/** From which side of a square to which the border runs, by the corners inside; see `_STEPS` of the Python runtime. */
const STEPS: Record<number, [from: number, to: number][]> = {
  1: [[3, 0]],
  2: [[0, 1]],
  3: [[3, 1]],
  4: [[1, 2]],
  6: [[0, 2]],
  7: [[3, 2]],
  8: [[2, 3]],
  9: [[2, 0]],
  11: [[2, 1]],
  12: [[1, 3]],
  13: [[1, 0]],
  14: [[0, 3]],
}

function stepsOf(corners: number, isJoined: boolean): [from: number, to: number][] {
  if (corners === 5) return isJoined ? [[3, 2], [1, 0]] : [[3, 0], [1, 2]] // prettier-ignore
  if (corners === 10) return isJoined ? [[0, 3], [2, 1]] : [[0, 1], [2, 3]] // prettier-ignore
  return STEPS[corners] ?? []
}

/** Outlines of a row's mask where it crosses one half, in pixels within the picture, without those of holes. */
function polygonsOf(row: Row, { width, height }: Size): Point[][] {
  const side = sideOf(row)
  const last = side + 3
  // The outermost cells go on to the box's edge, and behind it there is nothing.
  const cell = (y: number, x: number) => {
    if (y < 1 || x < 1 || y >= last || x >= last) return 0
    const inner = (place: number) => Math.min(Math.max(place - 2, 0), side - 1)
    return row[ROW_LENGTH + inner(y) * side + inner(x)] ?? 0
  }
  const mark = (place: number) => Math.min(Math.max(place - 1.5, 0), side) / side
  const [x0 = 0, y0 = 0, wide = 0, high = 0] = row
  const points = new Map<string, Point>()
  const onward = new Map<string, string>()
  const cross = (y: number, x: number, isDown: boolean): string => {
    const key = `${y},${x},${isDown}`
    const [otherY, otherX] = isDown ? [y + 1, x] : [y, x + 1]
    const share = (HALF - cell(y, x)) / (cell(otherY, otherX) - cell(y, x))
    points.set(key, [mark(x) + share * (mark(otherX) - mark(x)), mark(y) + share * (mark(otherY) - mark(y))])
    return key
  }
  for (let y = 0; y < last; y++)
    for (let x = 0; x < last; x++) {
      const square = [cell(y, x), cell(y, x + 1), cell(y + 1, x + 1), cell(y + 1, x)]
      const corners = square.reduce((sum, value, number) => sum + (value >= HALF ? 1 << number : 0), 0)
      const isJoined = square.reduce((sum, value) => sum + value, 0) / 4 >= HALF
      for (const [from, to] of stepsOf(corners, isJoined)) {
        const sides = [[y, x, false], [y, x + 1, true], [y + 1, x, false], [y, x, true]] as const // prettier-ignore
        onward.set(cross(...(sides[from] as (typeof sides)[0])), cross(...(sides[to] as (typeof sides)[0])))
      }
    }
  const found: Point[][] = []
  for (const start of [...onward.keys()]) {
    const ring: Point[] = []
    for (let at: string | undefined = start; at !== undefined && onward.has(at);) {
      const next: string | undefined = onward.get(at)
      onward.delete(at)
      ring.push(points.get(at) as Point)
      at = next
    }
    const area = ring.reduce((sum, [x, y], number) => {
      const [nextX, nextY] = ring[(number + 1) % ring.length] as Point
      return sum + x * nextY - nextX * y
    }, 0)
    if (area >= 0) continue // a hole, or a ring that was followed already
    const within = (fraction: number, size: number) => rounded(Math.min(1, Math.max(0, fraction)) * size, POINT_DIGITS)
    const placed = ring.map(([x, y]): Point => [within(x0 + x * wide, width), within(y0 + y * high, height)])
    const apart = placed.filter(([x, y], number) => {
      const [beforeX, beforeY] = placed.at(number - 1) as Point
      return x !== beforeX || y !== beforeY
    })
    if (apart.length > 2) found.push(apart)
  }
  return found
}

export const KIND: AnswerKind = {
  defaultTop: 100,

  check({ axes }) {
    const side = Math.sqrt((axes[1] ?? 0) - ROW_LENGTH)
    if (axes.length !== 2 || !Number.isInteger(side) || side < 1)
      throw new ModelError('artefact_unreadable', `the model answers in shape ${axes.join()}, not with rows of a box and a square mask`)
  },

  encode(answer, labels, size, options) {
    const annotations: MaskAnnotation[] = []
    for (const row of rowsOf(answer)) {
      if (!row.every(Number.isFinite)) throw new ModelError('answer_invalid', 'the model answers with a cell that is no number')
      const label = labels[row[5] ?? -1] ?? ''
      if ((row[4] ?? 0) < floorOf(label, options)) continue
      const counts = countsOf(row, size)
      const shape = { box: placeOf(row, size), polygons: polygonsOf(row, size) }
      annotations.push({ kind: 'mask', label, ...size, counts, score: scoreOf(row), ...shape })
      if (annotations.length === options.top) break
    }
    return annotations
  },

  difference(expected, names, answer, labels) {
    const golden = expected.instances
    const given = rowsOf(answer)
    const side = Math.sqrt((answer.axes[1] ?? 0) - ROW_LENGTH)
    const rows = goldenRows(expected.detections ?? [], names, labels)
    if (golden?.side !== side || golden.masks.length !== rows.length)
      throw new ModelError('artefact_unreadable', `the masks have ${side} cells a side, those of the golden sample other sides`)
    const boxesApart = rowsApart(rows, given, answer.axes[0] ?? 0)
    const apart = [boxesApart]
    for (const [place, row] of rows.entries()) {
      const own = given.filter((other) => other[5] === row[5])
      if (!own.length || ((row[4] ?? 0) <= LOWEST_BOX_SCORE && place >= NUM_ALWAYS)) continue // that a box is missing was counted
      const nearest = own.reduce((best, other) => (sidesApart(row, other, true) < sidesApart(row, best, true) ? other : best))
      if (sidesApart(row, nearest, true) > boxesApart + NOWHERE) continue // it stands where the list was cut
      const [counts, mean] = golden.masks[place] as [string, number]
      const cells = nearest.slice(ROW_LENGTH)
      const isInside = new Uint8Array(cells.length)
      let start = 0
      runsUnpack(counts).forEach((run, number) => {
        for (let at = start; number % 2 && at < start + run; at++) isInside[(at % side) * side + Math.floor(at / side)] = 1
        start += run
      })
      const isOther = cells.filter((value, at) => value >= HALF !== (isInside[at] === 1) && Math.abs(value - HALF) > EVEN)
      apart.push(isOther.length / cells.length, Math.abs(cells.reduce((sum, value) => sum + value, 0) / cells.length - mean))
    }
    const worst = Math.max(...apart)
    return Number.isNaN(worst) ? 1 : worst
  },
}

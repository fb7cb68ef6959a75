/** The superpixels of a picture in its own pixels; they were computed on a copy that may be smaller. */
import type { Bounds, PicturePoint, Size } from '../coordinates'
import { MaskTiles } from '../shapes/mask/tiles'
import type { Division } from './slic'

export class Cells {
  /** For each column and row of the copy, the first of the picture that lies in it; the last entry is the picture's end. */
  private readonly lefts: Int32Array
  private readonly tops: Int32Array
  /** Bounds of each in the copy: left, top, right, bottom (the last ones included). */
  private readonly bounds: Int32Array

  constructor(
    private readonly picture: Size,
    private readonly copy: Size,
    private readonly division: Division,
  ) {
    this.lefts = firsts(picture.width, copy.width)
    this.tops = firsts(picture.height, copy.height)
    this.bounds = boundsOf(copy, division)
  }

  get count(): number {
    return this.division.count
  }

  /** The superpixel that holds a point of the picture; -1 beside the picture. */
  at({ x, y }: PicturePoint): number {
    const { picture, copy } = this
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return -1
    const [column, row] = [inCopy(x, picture.width, copy.width), inCopy(y, picture.height, copy.height)]
    return this.division.labels[row * copy.width + column] as number
  }

  /** Those that a straight way passes, in order; `from` itself among them. */
  along(from: PicturePoint, to: PicturePoint): number[] {
    const step = Math.max(this.picture.width / this.copy.width, this.picture.height / this.copy.height)
    const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step))
    const passed = new Set<number>()
    for (let number = 0; number <= count; number += 1) {
      const share = number / count
      passed.add(this.at({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }))
    }
    passed.delete(-1)
    return [...passed]
  }

  /** The pixels of a superpixel. */
  area(cell: number): MaskTiles {
    const { lefts, tops, copy } = this
    const { labels } = this.division
    const area = new MaskTiles(this.picture.width, this.picture.height)
    const [left, top, right, bottom] = this.bounds.subarray(cell * 4, cell * 4 + 4) as unknown as [number, number, number, number]
    for (let x = left; x <= right; x += 1) {
      for (let y = top; y <= bottom; y += 1) {
        if (labels[y * copy.width + x] !== cell) continue
        const from = y
        while (y < bottom && labels[(y + 1) * copy.width + x] === cell) y += 1
        for (let column = lefts[x] as number; column < (lefts[x + 1] as number); column += 1) {
          area.setRun(column, tops[from] as number, tops[y + 1] as number)
        }
      }
    }
    return area
  }

  /** Calls back with each straight piece of the borders between superpixels, as far as it may lie within the bounds. */
  forEachBorder({ minX, minY, maxX, maxY }: Bounds, visit: (fromX: number, fromY: number, toX: number, toY: number) => void): void {
    const { lefts, tops, picture, copy } = this
    const { labels } = this.division
    const clamped = (value: number, size: number) => Math.min(Math.max(Math.floor(value), 0), size - 1)
    const [left, right] = [minX, maxX].map((x) => inCopy(clamped(x, picture.width), picture.width, copy.width)) as [number, number]
    const [top, bottom] = [minY, maxY].map((y) => inCopy(clamped(y, picture.height), picture.height, copy.height)) as [number, number]
    const pieces = (from: number, to: number, isBorder: (place: number) => boolean, found: (start: number, end: number) => void) => {
      for (let place = from; place <= to; place += 1) {
        if (!isBorder(place)) continue
        const start = place
        while (place < to && isBorder(place + 1)) place += 1
        found(start, place + 1)
      }
    }
    for (let y = Math.max(top, 1); y <= bottom; y += 1) {
      const base = y * copy.width
      pieces(
        left,
        right,
        (x) => labels[base + x] !== labels[base - copy.width + x],
        (start, end) => visit(lefts[start] as number, tops[y] as number, lefts[end] as number, tops[y] as number),
      )
    }
    for (let x = Math.max(left, 1); x <= right; x += 1) {
      pieces(
        top,
        bottom,
        (y) => labels[y * copy.width + x] !== labels[y * copy.width + x - 1],
        (start, end) => visit(lefts[x] as number, tops[start] as number, lefts[x] as number, tops[end] as number),
      )
    }
  }
}

/** The place in the copy of a pixel's middle. */
const inCopy = (place: number, picture: number, copy: number) =>
  Math.min(copy - 1, Math.floor(((Math.floor(place) + 0.5) * copy) / picture))

/** Inverse of `inCopy`. */
const firsts = (picture: number, copy: number) =>
  Int32Array.from({ length: copy + 1 }, (_, place) => Math.min(picture, Math.max(0, Math.ceil((place * picture) / copy - 0.5))))

function boundsOf({ width, height }: Size, { labels, count }: Division): Int32Array {
  const bounds = new Int32Array(count * 4)
  for (let cell = 0; cell < count; cell += 1) bounds.set([width, height, -1, -1], cell * 4)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const base = (labels[at] as number) * 4
      if (x < (bounds[base] as number)) bounds[base] = x
      if (y < (bounds[base + 1] as number)) bounds[base + 1] = y
      if (x > (bounds[base + 2] as number)) bounds[base + 2] = x
      if (y > (bounds[base + 3] as number)) bounds[base + 3] = y
    }
  }
  return bounds
}

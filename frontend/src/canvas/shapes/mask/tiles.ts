/**
 * A mask as sparse tiles, so that a picture of a hundred megapixels costs what is painted on it. Within a tile pixels run column by
 * column as in COCO's run lengths: painting and coding are fills and searches of whole runs.
 *
 * Tiles are copied before they are written in a new stroke: copies of a mask share what they do not change, and whoever keeps a
 * picture of a tile is out of date if its identity differs.
 */
import type { Bounds, PicturePoint } from '../../coordinates'
import { runsFrom, textFrom } from './rle'

export const TILE = 128

export class MaskTiles {
  private readonly columns: number
  private readonly rows: number
  /** By `column * rows + row`. */
  private readonly tiles: Map<number, Uint8Array>
  private own = new Set<Uint8Array>()

  constructor(
    readonly width: number,
    readonly height: number,
    tiles: ReadonlyMap<number, Uint8Array> = new Map(),
  ) {
    this.columns = Math.ceil(width / TILE)
    this.rows = Math.ceil(height / TILE)
    this.tiles = new Map(tiles)
  }

  static from(width: number, height: number, counts: string): MaskTiles {
    const mask = new MaskTiles(width, height)
    let at = 0
    runsFrom(counts).forEach((run, index) => {
      if (index % 2 === 1) mask.setRange(at, at + run)
      at += run
    })
    return mask
  }

  copy(): MaskTiles {
    return new MaskTiles(this.width, this.height, this.tiles)
  }

  get isEmpty(): boolean {
    return this.bounds() === null
  }

  has(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return false
    const tile = this.tiles.get(this.key(Math.floor(x / TILE), Math.floor(y / TILE)))
    return tile?.[(Math.floor(x) % TILE) * TILE + (Math.floor(y) % TILE)] === 1
  }

  /** Sets or clears the pixels of one column from `from` to `to` (exclusive), as far as they are in the picture. */
  setRun(x: number, from: number, to: number, value: 0 | 1 = 1): void {
    if (x < 0 || x >= this.width) return
    const [start, end] = [Math.max(from, 0), Math.min(to, this.height)]
    const column = Math.floor(x / TILE)
    for (let y = start; y < end;) {
      const row = Math.floor(y / TILE)
      const stop = Math.min(end, (row + 1) * TILE)
      const tile = this.writable(column, row, value)
      const base = (x % TILE) * TILE - row * TILE
      tile?.fill(value, base + y, base + stop)
      y = stop
    }
  }

  /** Begins a stroke: from here on tiles are copied before they are changed. */
  beginStroke(): void {
    this.own = new Set()
  }

  /** Paints (or wipes) what a disc covers on its way; a pixel counts when its middle is covered. */
  stroke(from: PicturePoint, to: PicturePoint, radius: number, value: 0 | 1): void {
    const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - radius))
    const right = Math.min(this.width - 1, Math.ceil(Math.max(from.x, to.x) + radius))
    for (let x = left; x <= right; x += 1) {
      const span = capsuleSpan(x + 0.5, from, to, radius)
      if (span) this.setRun(x, Math.ceil(span[0] - 0.5), Math.floor(span[1] - 0.5) + 1, value)
    }
  }

  /** Calls back with each run of set pixels in order: column, from, to (exclusive). Runs end at the border of a tile. */
  forEachRun(visit: (x: number, from: number, to: number) => void): void {
    for (let column = 0; column < this.columns; column += 1) {
      const stack = this.stackOf(column)
      if (stack.length === 0) continue
      for (let x = column * TILE; x < Math.min((column + 1) * TILE, this.width); x += 1) {
        for (const [row, tile] of stack) visitRuns(tile, (x % TILE) * TILE, (from, to) => visit(x, row * TILE + from, row * TILE + to))
      }
    }
  }

  /** The same pixels elsewhere; what leaves the picture is lost. */
  moved(dx: number, dy: number): MaskTiles {
    const out = new MaskTiles(this.width, this.height)
    this.forEachRun((x, from, to) => out.setRun(x + dx, from + dy, to + dy))
    return out
  }

  /** The smallest rectangle around all set pixels, or null when there are none. */
  bounds(): Bounds | null {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
    this.forEachRun((x, from, to) => {
      minX = Math.min(minX, x)
      maxX = Math.max(maxX, x + 1)
      minY = Math.min(minY, from)
      maxY = Math.max(maxY, to)
    })
    return minX === Infinity ? null : { minX, minY, maxX, maxY }
  }

  /** COCO's string, as `pycocotools.mask.encode` writes it. */
  counts(): string {
    const runs: number[] = []
    let end = 0
    this.forEachRun((x, from, to) => {
      const start = x * this.height + from
      if (runs.length > 0 && start === end) runs[runs.length - 1] = (runs.at(-1) as number) + to - from
      else runs.push(start - end, to - from)
      end = x * this.height + to
    })
    const left = this.width * this.height - end
    if (left > 0 || runs.length === 0) runs.push(left)
    return textFrom(runs)
  }

  /** Calls back with the tiles that touch the rectangle: place of the corner in the picture, and pixels column by column. */
  forEachTile(within: Bounds, visit: (x: number, y: number, tile: Uint8Array) => void): void {
    for (const [key, tile] of this.tiles) {
      const [x, y] = [Math.floor(key / this.rows) * TILE, (key % this.rows) * TILE]
      if (x <= within.maxX && y <= within.maxY && x + TILE >= within.minX && y + TILE >= within.minY) visit(x, y, tile)
    }
  }

  private key(column: number, row: number): number {
    return column * this.rows + row
  }

  private stackOf(column: number): [number, Uint8Array][] {
    return Array.from({ length: this.rows }, (_, row): [number, Uint8Array | undefined] => [
      row,
      this.tiles.get(this.key(column, row)),
    ]).filter((entry): entry is [number, Uint8Array] => entry[1] !== undefined)
  }

  private writable(column: number, row: number, value: 0 | 1): Uint8Array | null {
    const key = this.key(column, row)
    const known = this.tiles.get(key)
    if (known && this.own.has(known)) return known
    if (!known && value === 0) return null
    const tile = known ? known.slice() : new Uint8Array(TILE * TILE)
    this.own.add(tile)
    this.tiles.set(key, tile)
    return tile
  }

  /** A run of the picture's pixels counted column by column. */
  private setRange(from: number, to: number): void {
    for (let at = from; at < to;) {
      const x = Math.floor(at / this.height)
      const y = at - x * this.height
      const stop = Math.min(this.height, y + to - at)
      this.setRun(x, y, stop)
      at += stop - y
    }
  }
}

function visitRuns(tile: Uint8Array, base: number, visit: (from: number, to: number) => void): void {
  const end = base + TILE
  for (let at = base; at < end;) {
    const start = tile.indexOf(1, at)
    if (start < 0 || start >= end) return
    const stop = tile.indexOf(0, start)
    at = stop < 0 || stop > end ? end : stop
    visit(start - base, at - base)
  }
}

/** Where a vertical line meets the disc's way from one point to another; null when it does not. */
function capsuleSpan(x: number, from: PicturePoint, to: PicturePoint, radius: number): [number, number] | null {
  let [low, high] = [Infinity, -Infinity]
  const add = (y: number) => {
    low = Math.min(low, y)
    high = Math.max(high, y)
  }
  for (const end of [from, to]) {
    const reach = radius * radius - (x - end.x) ** 2
    if (reach < 0) continue
    add(end.y - Math.sqrt(reach))
    add(end.y + Math.sqrt(reach))
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  if (length > 0 && Math.abs(dx) > 1e-9) {
    for (const side of [-1, 1]) {
      const [ox, oy] = [(-dy / length) * radius * side, (dx / length) * radius * side]
      const share = (x - from.x - ox) / dx
      if (share >= 0 && share <= 1) add(from.y + oy + share * dy)
    }
  }
  return low <= high ? [low, high] : null
}

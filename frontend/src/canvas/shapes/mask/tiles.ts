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

/** Which pixels of a tile are set: how many, and the rectangle around them in the tile's own pixels. */
interface Extent extends Bounds {
  area: number
}

/** Kept until a tile is written. */
const extents = new WeakMap<Uint8Array, Extent>()

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

  /** Shares its tiles until one of both is written. */
  copy(): MaskTiles {
    this.beginStroke()
    return new MaskTiles(this.width, this.height, this.tiles)
  }

  get isEmpty(): boolean {
    return this.area === 0
  }

  /** Number of pixels that are set. */
  get area(): number {
    let area = 0
    for (const tile of this.tiles.values()) area += extentOf(tile).area
    return area
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
      const tile = this.writable(this.key(column, row), value)
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

  /** Sets the pixels of another mask of the same picture. */
  add(other: MaskTiles): void {
    for (const [key, theirs] of other.tiles) {
      if (extentOf(theirs).area === 0) continue
      const known = this.tiles.get(key)
      if (!known) {
        this.tiles.set(key, theirs)
        other.own.delete(theirs)
      } else if (known !== theirs && extentOf(known).area < TILE * TILE) {
        const tile = this.writable(key, 1) as Uint8Array
        for (let at = 0; at < tile.length; at += 1) if (theirs[at] === 1) tile[at] = 1
      }
    }
  }

  /** Clears the pixels of another mask of the same picture. */
  remove(other: MaskTiles): void {
    for (const [key, theirs] of other.tiles) {
      const known = this.tiles.get(key)
      if (!known || extentOf(theirs).area === 0) continue
      if (known === theirs || extentOf(theirs).area === TILE * TILE) {
        this.tiles.delete(key)
        continue
      }
      const tile = this.writable(key, 0) as Uint8Array
      for (let at = 0; at < tile.length; at += 1) if (theirs[at] === 1) tile[at] = 0
    }
  }

  /** Whether some pixel is set in both. */
  meets(other: MaskTiles): boolean {
    for (const [key, theirs] of other.tiles) {
      const known = this.tiles.get(key)
      if (known?.some((value, at) => value === 1 && theirs[at] === 1)) return true
    }
    return false
  }

  /** Calls back with each run of set pixels in order: column, from, to (exclusive). Runs end at the border of a tile. */
  forEachRun(visit: (x: number, from: number, to: number) => void): void {
    for (let column = 0; column < this.columns; column += 1) {
      const stack = this.stackOf(column)
      if (stack.length === 0) continue
      for (let x = column * TILE; x < Math.min((column + 1) * TILE, this.width); x += 1) {
        for (const [row, tile] of stack) visitRuns(tile, x, row * TILE, visit)
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
    for (const [key, tile] of this.tiles) {
      const extent = extentOf(tile)
      if (extent.area === 0) continue
      const [x, y] = this.cornerOf(key)
      minX = Math.min(minX, x + extent.minX)
      minY = Math.min(minY, y + extent.minY)
      maxX = Math.max(maxX, x + extent.maxX)
      maxY = Math.max(maxY, y + extent.maxY)
    }
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
      const [x, y] = this.cornerOf(key)
      if (x <= within.maxX && y <= within.maxY && x + TILE >= within.minX && y + TILE >= within.minY) visit(x, y, tile)
    }
  }

  /** Puts a tile in place as it is: pixels column by column, 0 or 1, none of them beyond the picture. */
  setTile(column: number, row: number, tile: Uint8Array): void {
    this.tiles.set(this.key(column, row), tile)
  }

  private cornerOf(key: number): [x: number, y: number] {
    return [Math.floor(key / this.rows) * TILE, (key % this.rows) * TILE]
  }

  private key(column: number, row: number): number {
    return column * this.rows + row
  }

  private stackOf(column: number): [number, Uint8Array][] {
    return Array.from({ length: this.rows }, (_, row): [number, Uint8Array | undefined] => [
      row,
      this.tiles.get(this.key(column, row)),
    ]).filter((entry): entry is [number, Uint8Array] => entry[1] !== undefined && extentOf(entry[1]).area > 0)
  }

  private writable(key: number, value: 0 | 1): Uint8Array | null {
    const known = this.tiles.get(key)
    if (known && this.own.has(known)) {
      extents.delete(known)
      return known
    }
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

function visitRuns(tile: Uint8Array, x: number, top: number, visit: (x: number, from: number, to: number) => void): void {
  if (isFull(tile)) return visit(x, top, top + TILE)
  const base = (x % TILE) * TILE
  for (let at = 0; at < TILE;) {
    while (at < TILE && tile[base + at] === 0) at += 1
    if (at === TILE) return
    const from = at
    while (at < TILE && tile[base + at] === 1) at += 1
    visit(x, top + from, top + at)
  }
}

/** Every pixel is set. */
export const isFull = (tile: Uint8Array): boolean => extentOf(tile).area === TILE * TILE

function extentOf(tile: Uint8Array): Extent {
  const known = extents.get(tile)
  if (known) return known
  const extent = { area: 0, minX: TILE, minY: TILE, maxX: 0, maxY: 0 }
  for (let x = 0; x < TILE; x += 1) {
    const base = x * TILE
    let [first, last, count] = [TILE, -1, 0]
    for (let y = 0; y < TILE; y += 1) {
      if (tile[base + y] === 0) continue
      if (count === 0) first = y
      last = y
      count += 1
    }
    if (count === 0) continue
    extent.area += count
    extent.minX = Math.min(extent.minX, x)
    extent.maxX = x + 1
    extent.minY = Math.min(extent.minY, first)
    extent.maxY = Math.max(extent.maxY, last + 1)
  }
  extents.set(tile, extent)
  return extent
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

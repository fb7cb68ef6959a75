/**
 * The connected area of colours like that of a pixel, for every tolerance at once: each pixel gets the least tolerance at which it is
 * reached (priority flood, Barnes, Lehman and Mulla 2014, on 256 levels). A larger tolerance goes on where the last one stopped, a
 * smaller one is a look at what is there.
 */
import { MaskTiles, TILE } from '../shapes/mask/tiles'
import { type ColorTiles, differenceAt } from './color-tiles'

/** Pixel around the one that is pointed at whose colours are averaged. */
const REFERENCE_RADIUS = 2
const LARGEST_LEVEL = 254
/** Pixels between two looks at the clock. */
const PATIENCE = 2048

export class Growth {
  /** Least tolerance of each pixel plus one, 0 where nothing was reached; tiles as in masks. */
  private readonly reached: (Uint8Array | undefined)[] = []
  /** Pixels by level whose neighbours have not been looked at, as `x * height + y`. */
  private readonly open: number[][] = Array.from({ length: LARGEST_LEVEL + 1 }, () => [])
  private readonly color: [number, number, number]
  private level = 0

  constructor(
    private readonly colors: ColorTiles,
    readonly x: number,
    readonly y: number,
  ) {
    this.color = colors.around(x, y, REFERENCE_RADIUS)
    this.reach(x, y, 0)
  }

  /** Reaches all that the tolerance allows; returns false when it stopped because it is late. */
  advance(tolerance: number, isLate: () => boolean): boolean {
    const { height } = this.colors
    let patience = PATIENCE
    for (; this.level <= Math.min(tolerance, LARGEST_LEVEL); this.level += 1) {
      const open = this.open[this.level] as number[]
      for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
        const x = Math.floor(pixel / height)
        const y = pixel - x * height
        this.reach(x - 1, y, this.level)
        this.reach(x + 1, y, this.level)
        this.reach(x, y - 1, this.level)
        this.reach(x, y + 1, this.level)
        patience -= 1
        if (patience > 0) continue
        if (isLate()) return false
        patience = PATIENCE
      }
    }
    return true
  }

  /** What is reached with the tolerance. */
  mask(tolerance: number): MaskTiles {
    const { width, height, rows } = this.colors
    const mask = new MaskTiles(width, height)
    this.reached.forEach((tile, index) => {
      if (!tile) return
      const pixels = new Uint8Array(TILE * TILE)
      let count = 0
      for (let at = 0; at < pixels.length; at += 1) {
        const value = tile[at] as number
        if (value === 0 || value > tolerance + 1) continue
        pixels[at] = 1
        count += 1
      }
      if (count > 0) mask.setTile(Math.floor(index / rows), index % rows, pixels)
    })
    return mask
  }

  private reach(x: number, y: number, level: number): void {
    const { width, height, rows } = this.colors
    if (x < 0 || y < 0 || x >= width || y >= height) return
    const index = Math.floor(x / TILE) * rows + Math.floor(y / TILE)
    const pixel = (x & (TILE - 1)) * TILE + (y & (TILE - 1))
    const tile = (this.reached[index] ??= new Uint8Array(TILE * TILE))
    if (tile[pixel] !== 0) return
    const least = Math.max(level, Math.ceil(differenceAt(this.colors.tile(index), pixel, this.color)))
    // Out of every tolerance: marked as seen, and never open.
    tile[pixel] = Math.min(least, LARGEST_LEVEL) + 1
    if (least <= LARGEST_LEVEL) (this.open[least] as number[]).push(x * height + y)
  }
}

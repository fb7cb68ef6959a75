/**
 * The colours of a picture, read tile by tile when somebody asks for them. Against noise each pixel is averaged with those of its
 * neighbours that are like it, so that edges stay where they are (the sigma filter of Lee, 1983).
 */
import type { Size } from '../coordinates'
import { TILE } from '../shapes/mask/tiles'

/** Where the pixels come from; `read` answers RGBA row by row, of a part that lies within the picture. */
export interface PixelSource extends Size {
  read(x: number, y: number, width: number, height: number): Uint8ClampedArray
}

/** Of 48 kB each: 50 MB, or 16 million pixels. */
const MOST_TILES = 1024
/** Neighbours that differ by more are of something else. */
const NOISE = 32

export class ColorTiles {
  readonly width: number
  readonly height: number
  readonly rows: number
  private readonly tiles: (Uint8Array | undefined)[] = []
  private readonly order: number[] = []

  constructor(private readonly source: PixelSource) {
    this.width = source.width
    this.height = source.height
    this.rows = Math.ceil(source.height / TILE)
  }

  /** Red, green and blue of each pixel, column by column as in masks; `index` is `column * rows + row`. */
  tile(index: number): Uint8Array {
    const known = this.tiles[index]
    if (known) return known
    const made = this.made(Math.floor(index / this.rows) * TILE, (index % this.rows) * TILE)
    this.tiles[index] = made
    this.order.push(index)
    if (this.order.length > MOST_TILES) this.tiles[this.order.shift() as number] = undefined
    return made
  }

  /** Mean colour around a pixel of the picture. */
  around(x: number, y: number, radius: number): [number, number, number] {
    const sum: [number, number, number] = [0, 0, 0]
    let count = 0
    for (let at = Math.max(0, x - radius); at <= Math.min(this.width - 1, x + radius); at += 1) {
      for (let row = Math.max(0, y - radius); row <= Math.min(this.height - 1, y + radius); row += 1) {
        const tile = this.tile(Math.floor(at / TILE) * this.rows + Math.floor(row / TILE))
        const base = ((at % TILE) * TILE + (row % TILE)) * 3
        for (let channel = 0; channel < 3; channel += 1) sum[channel] = (sum[channel] as number) + (tile[base + channel] as number)
        count += 1
      }
    }
    return sum.map((each) => each / count) as [number, number, number]
  }

  private made(left: number, top: number): Uint8Array {
    const { source } = this
    const [fromX, fromY] = [Math.max(0, left - 1), Math.max(0, top - 1)]
    const [toX, toY] = [Math.min(source.width, left + TILE + 1), Math.min(source.height, top + TILE + 1)]
    const [width, height] = [toX - fromX, toY - fromY]
    const pixels = source.read(fromX, fromY, width, height)
    const out = new Uint8Array(TILE * TILE * 3)
    for (let x = left; x < Math.min(left + TILE, source.width); x += 1) {
      const [before, after] = [Math.max(x - 1, fromX) - fromX, Math.min(x + 1, toX - 1) - fromX]
      for (let y = top; y < Math.min(top + TILE, source.height); y += 1) {
        const [above, below] = [Math.max(y - 1, fromY) - fromY, Math.min(y + 1, toY - 1) - fromY]
        const middle = ((y - fromY) * width + (x - fromX)) * 4
        const [midRed, midGreen, midBlue] = [pixels[middle] as number, pixels[middle + 1] as number, pixels[middle + 2] as number]
        let [red, green, blue, count] = [0, 0, 0, 0]
        for (let row = above; row <= below; row += 1) {
          for (let at = (row * width + before) * 4; at <= (row * width + after) * 4; at += 4) {
            const [r, g, b] = [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number]
            if (Math.abs(r - midRed) > NOISE || Math.abs(g - midGreen) > NOISE || Math.abs(b - midBlue) > NOISE) continue
            red += r
            green += g
            blue += b
            count += 1
          }
        }
        const base = ((x - left) * TILE + (y - top)) * 3
        out[base] = red / count
        out[base + 1] = green / count
        out[base + 2] = blue / count
      }
    }
    return out
  }
}

type Color = readonly [number, number, number]

/** The largest difference of red, green or blue, 0..255: what paint programs call tolerance. */
export function differenceAt(tile: Uint8Array, pixel: number, [red, green, blue]: Color): number {
  const base = pixel * 3
  return Math.max(
    Math.abs((tile[base] as number) - red),
    Math.abs((tile[base + 1] as number) - green),
    Math.abs((tile[base + 2] as number) - blue),
  )
}

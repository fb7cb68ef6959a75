/** Masks on a coarser grid, for pages that show many: what is looked at is decoded, and nothing else. */
import { fillPart } from './fill'
import type { PolygonPart, Tuple } from '../../object'
import { runsFrom } from './rle'
import { MaskTiles } from './tiles'

interface Packed {
  width: number
  height: number
  counts: string
}

/** Every `step`-th pixel of a mask in both directions, the middle one of each cell. */
export function coarseMask({ width, height, counts }: Packed, step: number): MaskTiles {
  const tiles = new MaskTiles(Math.ceil(width / step), Math.ceil(height / step))
  const middle = Math.floor(step / 2)
  let at = 0
  runsFrom(counts).forEach((run, index) => {
    const end = at + run
    if (index % 2 === 1) {
      const [first, last] = [Math.floor(at / height), Math.floor((end - 1) / height)]
      for (let column = Math.max(0, Math.ceil((first - middle) / step)); column * step + middle <= last; column += 1) {
        const x = column * step + middle
        const [from, to] = [Math.max(at - x * height, 0), Math.min(end - x * height, height)]
        tiles.setRun(column, Math.ceil((from - middle) / step), Math.ceil((to - middle) / step))
      }
    }
    at = end
  })
  return tiles
}

/** The inside of an outline on the same grid. */
export function coarsePolygon({ points, holes }: PolygonPart, width: number, height: number, step: number): MaskTiles {
  const tiles = new MaskTiles(Math.ceil(width / step), Math.ceil(height / step))
  const smaller = (ring: readonly Tuple[]) => ring.map(([x, y]): Tuple => [x / step, y / step])
  fillPart(tiles, { points: smaller(points), holes: holes.map(smaller) })
  return tiles
}

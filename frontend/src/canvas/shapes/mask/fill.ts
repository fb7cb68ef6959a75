/** Filling: of polygons into masks, and of what masks enclose. */
import { boundsOfPoints } from '../../coordinates'
import { segments } from '../../geometry'
import type { PolygonPart, Tuple } from '../../object'
import { connected, freeRunsOf, holds, maskOf, sidesTouched } from './regions'
import type { MaskTiles } from './tiles'

/** Sets the pixels whose middle lies within the part and in none of its holes. */
export function fillPart(mask: MaskTiles, part: PolygonPart): void {
  const edges = [part.points, ...part.holes].flatMap((ring) => [...segments(ring, true)])
  const { minX, maxX } = boundsOfPoints(part.points)
  const last = Math.min(mask.width - 1, Math.ceil(maxX))
  for (let x = Math.max(0, Math.floor(minX)); x <= last; x += 1) {
    const crossings = crossingsAt(edges, x + 0.5)
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      mask.setRun(x, Math.ceil((crossings[index] as number) - 0.5), Math.ceil((crossings[index + 1] as number) - 0.5))
    }
  }
}

/** Where the vertical line meets the edges, from above to below; even-odd rule. */
function crossingsAt(edges: readonly [Tuple, Tuple][], x: number): number[] {
  const found: number[] = []
  for (const [[ax, ay], [bx, by]] of edges) {
    if (ax > x !== bx > x) found.push(ay + ((x - ax) * (by - ay)) / (bx - ax))
  }
  return found.sort((one, other) => one - other)
}

/**
 * What the mask leaves free around the pixel, if it is enclosed: by the mask, or by the mask and up to three sides of the picture, as
 * a sky is above a horizon. Null where the pixel is set, and on the open background.
 */
export function enclosedAt(mask: MaskTiles, x: number, y: number): MaskTiles | null {
  const picture = { minX: 0, minY: 0, maxX: mask.width, maxY: mask.height }
  const around = connected(freeRunsOf(mask, picture), false).find((runs) => holds(runs, x, y))
  return around && sidesTouched(around, picture) < 4 ? maskOf(around, mask) : null
}

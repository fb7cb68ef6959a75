/** Filling: of polygons into masks, and of holes within a mask. */
import { boundsOfPoints } from '../../coordinates'
import { segments } from '../../geometry'
import type { PolygonPart, Tuple } from '../../object'
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
 * Fills the hole of the mask in which the pixel lies. Returns false when the pixel is set, or when what is around it is no hole
 * but the open outside; the picture's border closes a hole.
 */
export function fillHole(mask: MaskTiles, startX: number, startY: number): boolean {
  const bounds = mask.bounds()
  if (!bounds || mask.has(startX, startY)) return false
  const isOutside = (x: number, y: number) => x < bounds.minX || y < bounds.minY || x >= bounds.maxX || y >= bounds.maxY
  const isWall = (x: number) => x < 0 || x >= mask.width
  const height = bounds.maxY - bounds.minY
  const seen = new Uint8Array((bounds.maxX - bounds.minX) * height)
  const runs: [number, number, number][] = []
  const open: [number, number][] = [[Math.floor(startX), Math.floor(startY)]]
  for (let at = open.pop(); at; at = open.pop()) {
    const [x, y] = at
    if (isWall(x)) continue
    if (isOutside(x, y)) return false
    const base = (x - bounds.minX) * height - bounds.minY
    if (seen[base + y] || mask.has(x, y)) continue
    let [from, to] = [y, y + 1]
    while (from > bounds.minY && !mask.has(x, from - 1)) from -= 1
    while (to < bounds.maxY && !mask.has(x, to)) to += 1
    if ((from === bounds.minY && from > 0) || (to === bounds.maxY && to < mask.height)) return false
    seen.fill(1, base + from, base + to)
    runs.push([x, from, to])
    for (let each = from; each < to; each += 1) open.push([x - 1, each], [x + 1, each])
  }
  mask.beginStroke()
  for (const [x, from, to] of runs) mask.setRun(x, from, to)
  return true
}

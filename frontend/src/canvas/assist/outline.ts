/** Outlines of masks: rings along the borders between pixels, thinned out. */
import { doubleArea, isInRing, simplifiedRing } from '../geometry'
import type { MaskObject, PolygonObject, PolygonPart, Tuple } from '../object'
import { tilesOf } from '../shapes/mask/shape'
import type { MaskTiles } from '../shapes/mask/tiles'

/** Smaller outlines and holes are noise, in square pixels of the picture. */
const LEAST_AREA = 12

/** Stairs of pixels lie up to 1.4 pixels beside the slope that they mean. */
const LEAST_TOLERANCE = 1.5

/** The mask as a polygon with its holes. `tolerance` is how far a point may lie beside the outline, in pixels of the picture. */
export function polygonOf(mask: MaskObject, tolerance: number): PolygonObject {
  const { kind, width, height, counts, ...common } = mask
  void [kind, width, height, counts]
  const rings = ringsOf(tilesOf(mask))
  const large = rings.filter((ring) => Math.abs(doubleArea(ring)) / 2 >= LEAST_AREA)
  const thin = (ring: Tuple[]) => simplifiedRing(ring, Math.max(tolerance, LEAST_TOLERANCE))
  const parts: (PolygonPart & { ring: Tuple[] })[] = (large.some(isOuter) ? large : rings)
    .filter(isOuter)
    .map((ring) => ({ ring, points: thin(ring), holes: [] }))
  for (const hole of large.filter((ring) => !isOuter(ring))) {
    const [x, y] = hole[0] as Tuple
    const around = parts.filter(({ ring }) => isInRing(ring, { x: x + 0.5, y: y + 0.5 }) || isInRing(ring, { x: x - 0.5, y: y - 0.5 }))
    around.sort((one, other) => doubleArea(one.ring) - doubleArea(other.ring))[0]?.holes.push(thin(hole))
  }
  return { ...common, kind: 'polygon', parts: parts.map(({ points, holes }) => ({ points, holes })) }
}

const isOuter = (ring: Tuple[]) => doubleArea(ring) > 0

/** Every closed border, the inside to its right: outlines run clockwise on the screen, holes the other way. */
export function ringsOf(tiles: MaskTiles): Tuple[][] {
  const steps = new Map<string, Tuple[]>()
  const put = (from: Tuple, to: Tuple) => {
    const key = from.join()
    const known = steps.get(key)
    if (known) known.push(to)
    else steps.set(key, [to])
  }
  tiles.forEachRun((x, from, to) => {
    for (let y = from; y < to; y += 1) {
      if (y === from && !tiles.has(x, y - 1)) put([x, y], [x + 1, y])
      if (!tiles.has(x + 1, y)) put([x + 1, y], [x + 1, y + 1])
      if (y === to - 1 && !tiles.has(x, y + 1)) put([x + 1, y + 1], [x, y + 1])
      if (!tiles.has(x - 1, y)) put([x, y + 1], [x, y])
    }
  })
  const rings: Tuple[][] = []
  for (const [key, open] of steps) {
    while (open.length > 0) {
      const start = key.split(',').map(Number) as Tuple
      rings.push(corners(walked(start, steps)))
    }
  }
  return rings
}

/** From a point along the border until it is there again; where two pixels touch at a corner it turns right, so they stay apart. */
function walked(start: Tuple, steps: Map<string, Tuple[]>): Tuple[] {
  const ring: Tuple[] = [start]
  let [at, before]: [Tuple, Tuple | null] = [start, null]
  for (;;) {
    const open = steps.get(at.join()) as Tuple[]
    const next: Tuple = open.length === 1 || !before ? (open.pop() as Tuple) : rightmost(open, before, at)
    if (next[0] === start[0] && next[1] === start[1]) return ring
    ring.push(next)
    ;[before, at] = [at, next]
  }
}

function rightmost(open: Tuple[], before: Tuple, at: Tuple): Tuple {
  const [dx, dy] = [at[0] - before[0], at[1] - before[1]]
  const isRight = open.findIndex(([x, y]) => dx * (y - at[1]) - dy * (x - at[0]) > 0)
  return open.splice(Math.max(isRight, 0), 1)[0] as Tuple
}

/** Without the points in the middle of straight lines. */
const corners = (ring: Tuple[]): Tuple[] =>
  ring.filter(([x, y], index) => {
    const [before, after] = [ring.at(index - 1) as Tuple, ring[(index + 1) % ring.length] as Tuple]
    return (before[0] - x) * (after[1] - y) !== (before[1] - y) * (after[0] - x)
  })

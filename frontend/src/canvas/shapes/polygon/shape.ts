import { boundsOfPoints } from '../../coordinates'
import { isInRing, isNearPath, rounded, simplifiedRing, tupleOf } from '../../geometry'
import type { PolygonObject, PolygonPart, Tuple } from '../../object'
import { middleHandles, vertexHandles } from '../../path-handles'
import type { Shape } from '../../shape'

/** Rings are named `<part>` and `<part>.<hole>`; handles `<ring>/<vertex>`, those between two vertices `<ring>/+<vertex after it>`. */
const ringsOf = (part: PolygonPart, index: number): [string, Tuple[]][] => [
  [`${index}`, part.points],
  ...part.holes.map((hole, number): [string, Tuple[]] => [`${index}.${number}`, hole]),
]

const allRings = (polygon: PolygonObject): [string, Tuple[]][] => polygon.parts.flatMap(ringsOf)

/** The polygon with one ring changed; a ring that became null goes, and an outline takes its holes with it. */
function withRing(polygon: PolygonObject, name: string, change: (ring: Tuple[]) => Tuple[] | null): PolygonObject | null {
  const [partIndex, holeIndex] = name.split('.').map(Number)
  const parts = polygon.parts.flatMap((part, index): PolygonPart[] => {
    if (index !== partIndex) return [part]
    if (holeIndex !== undefined) {
      return [
        {
          ...part,
          holes: part.holes.flatMap((hole, number) =>
            number === holeIndex ? ((change(hole) ?? []).length ? [change(hole) as Tuple[]] : []) : [hole],
          ),
        },
      ]
    }
    const points = change(part.points)
    return points ? [{ ...part, points }] : []
  })
  return parts.length > 0 ? { ...polygon, parts } : null
}

const split = (handle: string): [string, string] => handle.split('/') as [string, string]

/** All rings with each point changed. */
const mapped = (polygon: PolygonObject, change: (ring: Tuple[]) => Tuple[]): PolygonObject => ({
  ...polygon,
  parts: polygon.parts.map((part) => ({ points: change(part.points), holes: part.holes.map(change) })),
})

const paths = new WeakMap<PolygonObject, Path2D>()

function pathOf(polygon: PolygonObject): Path2D {
  const known = paths.get(polygon)
  if (known) return known
  const path = new Path2D()
  for (const [, ring] of allRings(polygon)) {
    ring.forEach(([x, y], index) => (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)))
    path.closePath()
  }
  paths.set(polygon, path)
  return path
}

export default {
  kind: 'polygon',
  bounds: (polygon) => boundsOfPoints(polygon.parts.flatMap((part) => part.points)),
  hit: (polygon, point, tolerance) => {
    if (allRings(polygon).some(([, ring]) => isNearPath(ring, true, point, tolerance))) return 'edge'
    const isIn = polygon.parts.some((part) => isInRing(part.points, point) && !part.holes.some((hole) => isInRing(hole, point)))
    return isIn ? 'inside' : null
  },
  moved: (polygon, dx, dy) => mapped(polygon, (ring) => ring.map(([x, y]) => [rounded(x + dx), rounded(y + dy)])),
  handles: (polygon, length) =>
    allRings(polygon).flatMap(([name, ring]) => [...vertexHandles(name, ring), ...middleHandles(name, ring, true, length(28))]),
  withHandleAt: (polygon, handle, to) => {
    const [ring, vertex] = split(handle)
    return withRing(polygon, ring, (points) => points.with(Number(vertex), tupleOf(to))) ?? polygon
  },
  withVertex: (polygon, handle) => {
    const [ring, place] = split(handle)
    const at = Number(place.slice(1))
    const object = withRing(polygon, ring, (points) => {
      const [from, to] = [points.at(at - 1) as Tuple, points[at % points.length] as Tuple]
      return points.toSpliced(at, 0, [rounded((from[0] + to[0]) / 2), rounded((from[1] + to[1]) / 2)])
    })
    return { object: object ?? polygon, handle: `${ring}/${at}` }
  },
  withoutVertex: (polygon, handle) => {
    const [ring, vertex] = split(handle)
    return withRing(polygon, ring, (points) => (points.length > 3 ? points.toSpliced(Number(vertex), 1) : null))
  },
  simplified: (polygon, tolerance) => mapped(polygon, (ring) => simplifiedRing(ring, tolerance)),
  paint: ({ pen, color, fillFraction, hatch }, polygon) => {
    const path = pathOf(polygon)
    pen.fillStyle = color
    pen.globalAlpha = fillFraction
    pen.fill(path, 'evenodd')
    pen.globalAlpha = 1
    if (hatch && fillFraction > 0) {
      pen.fillStyle = hatch
      pen.fill(path, 'evenodd')
    }
    pen.stroke(path)
  },
} satisfies Shape<PolygonObject>

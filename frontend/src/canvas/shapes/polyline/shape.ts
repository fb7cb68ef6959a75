import { boundsOfPoints } from '../../coordinates'
import { isNearPath, rounded, simplifiedPath, tupleOf } from '../../geometry'
import type { PolylineObject, Tuple } from '../../object'
import { middleHandles, vertexHandles } from '../../path-handles'
import type { Shape } from '../../shape'

const vertexOf = (handle: string): number => Number(handle.slice(handle.indexOf('/') + 1))

export default {
  kind: 'polyline',
  bounds: ({ points }) => boundsOfPoints(points),
  hit: ({ points }, point, tolerance) => (isNearPath(points, false, point, tolerance) ? 'edge' : null),
  moved: (line, dx, dy) => ({ ...line, points: line.points.map(([x, y]): Tuple => [rounded(x + dx), rounded(y + dy)]) }),
  handles: ({ points }, length) => [...vertexHandles('0', points), ...middleHandles('0', points, false, length(28))],
  withHandleAt: (line, handle, to) => ({ ...line, points: line.points.with(vertexOf(handle), tupleOf(to)) }),
  withVertex: (line, handle) => {
    const at = vertexOf(handle)
    const [from, to] = [line.points[at - 1] as Tuple, line.points[at] as Tuple]
    const middle: Tuple = [rounded((from[0] + to[0]) / 2), rounded((from[1] + to[1]) / 2)]
    return { object: { ...line, points: line.points.toSpliced(at, 0, middle) }, handle: `0/${at}` }
  },
  withoutVertex: (line, handle) => (line.points.length > 2 ? { ...line, points: line.points.toSpliced(vertexOf(handle), 1) } : null),
  simplified: (line, tolerance) => ({ ...line, points: simplifiedPath(line.points, tolerance) }),
  paint: ({ pen }, { points }) => {
    pen.beginPath()
    points.forEach(([x, y], index) => (index === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)))
    pen.stroke()
  },
} satisfies Shape<PolylineObject>

import type { Keypoint, Label } from '../../../lib/api/types'
import { boundsOfPoints } from '../../coordinates'
import { distanceToSegment, rounded, tupleOf } from '../../geometry'
import type { KeypointsObject, Tuple } from '../../object'
import type { Handle, Shape } from '../../shape'

/** Screen pixels. */
const RADIUS_PX = 4.5

/** The part of an object that holds its points. */
type Pointed = Pick<KeypointsObject, 'points'>

/** Points that are somewhere: COCO's absent ones have no place. */
export const present = (object: Pointed): Keypoint[] => object.points.filter(({ visibility }) => visibility > 0)

const at = ({ x, y }: Keypoint): Tuple => [x, y]

/** The lines of the label's skeleton, as far as both of their ends are there. */
export function edgesOf(label: Label | undefined, object: Pointed): [Keypoint, Keypoint][] {
  const points = new Map(present(object).map((point) => [point.name, point]))
  return (label?.skeleton?.edges ?? []).flatMap(({ start, end }): [Keypoint, Keypoint][] => {
    const [from, to] = [points.get(start), points.get(end)]
    return from && to ? [[from, to]] : []
  })
}

function withPoint(object: KeypointsObject, handle: string, change: Partial<Keypoint>): KeypointsObject {
  return { ...object, points: object.points.map((point, index) => (index === Number(handle) ? { ...point, ...change } : point)) }
}

/** Seen becomes hidden, hidden becomes seen. */
export function withSeenToggled(object: KeypointsObject, handle: string): KeypointsObject {
  const point = object.points[Number(handle)]
  return point && point.visibility > 0 ? withPoint(object, handle, { visibility: point.visibility === 2 ? 1 : 2 }) : object
}

export default {
  kind: 'keypoints',
  bounds: (object) => boundsOfPoints(present(object).map(at)),
  hit: (object, point, tolerance, label) => {
    if (present(object).some(({ x, y }) => Math.hypot(x - point.x, y - point.y) <= tolerance * 1.5)) return 'edge'
    const isOnEdge = edgesOf(label, object).some(([from, to]) => distanceToSegment(point, at(from), at(to)) <= tolerance)
    return isOnEdge ? 'inside' : null
  },
  moved: (object, dx, dy) => ({
    ...object,
    points: object.points.map((point) => (point.visibility > 0 ? { ...point, x: rounded(point.x + dx), y: rounded(point.y + dy) } : point)),
  }),
  handles: (object) =>
    object.points.flatMap(({ x, y, visibility }, index): Handle[] =>
      visibility > 0 ? [{ name: String(index), x, y, role: 'keypoint' }] : [],
    ),
  withHandleAt: (object, handle, to) => {
    const [x, y] = tupleOf(to)
    return withPoint(object, handle, { x, y })
  },
  withoutVertex: (object, handle) => (present(object).length > 1 ? withPoint(object, handle, { x: 0, y: 0, visibility: 0 }) : null),
  paint: (painter, object) => {
    const { pen, zoom, color } = painter
    pen.beginPath()
    for (const [from, to] of edgesOf(painter.label, object)) {
      pen.moveTo(from.x, from.y)
      pen.lineTo(to.x, to.y)
    }
    pen.stroke()
    for (const { x, y, visibility } of present(object)) {
      pen.beginPath()
      pen.arc(x, y, RADIUS_PX / zoom, 0, 2 * Math.PI)
      pen.fillStyle = visibility === 2 ? color : '#ffffff'
      pen.fill()
      pen.stroke()
    }
  },
} satisfies Shape<KeypointsObject>

import type { PicturePoint } from '../../coordinates'
import { boundsOfPoints } from '../../coordinates'
import { rounded, tupleOf, turned } from '../../geometry'
import type { RotatedBoxObject, Tuple } from '../../object'
import type { Handle, Shape } from '../../shape'

const SIDES = [
  ['nw', -0.5, -0.5],
  ['n', 0, -0.5],
  ['ne', 0.5, -0.5],
  ['e', 0.5, 0],
  ['se', 0.5, 0.5],
  ['s', 0, 0.5],
  ['sw', -0.5, 0.5],
  ['w', -0.5, 0],
] as const
/** Screen pixels from the upper side to the handle that turns. */
const STALK_PX = 22
const SNAP_DEG = 15

const centerOf = (box: RotatedBoxObject): PicturePoint => ({ x: box.center_x, y: box.center_y })

/** A point given in the box's own axes from its centre, in the picture. */
const outward = (box: RotatedBoxObject, dx: number, dy: number): PicturePoint =>
  turned({ x: box.center_x + dx, y: box.center_y + dy }, centerOf(box), box.angle_deg)

/** A point of the picture in the box's own axes, from its centre. */
function inward(box: RotatedBoxObject, point: PicturePoint): { dx: number; dy: number } {
  const { x, y } = turned(point, centerOf(box), -box.angle_deg)
  return { dx: x - box.center_x, dy: y - box.center_y }
}

export const cornersOf = (box: RotatedBoxObject): Tuple[] =>
  SIDES.filter(([name]) => name.length === 2).map(([, u, v]) => {
    const { x, y } = outward(box, u * box.width, v * box.height)
    return [x, y]
  })

/** Degrees in [-180, 180). */
const normalAngle = (angleDeg: number) => rounded(((((angleDeg + 180) % 360) + 360) % 360) - 180)

function rotatedTo(box: RotatedBoxObject, to: PicturePoint, isSnapped: boolean): RotatedBoxObject {
  const angle = (Math.atan2(to.x - box.center_x, box.center_y - to.y) * 180) / Math.PI
  return { ...box, angle_deg: normalAngle(isSnapped ? Math.round(angle / SNAP_DEG) * SNAP_DEG : angle) }
}

function resized(box: RotatedBoxObject, handle: string, to: PicturePoint): RotatedBoxObject {
  const { dx, dy } = inward(box, to)
  let [left, top, right, bottom] = [-box.width / 2, -box.height / 2, box.width / 2, box.height / 2]
  if (handle.includes('w')) left = Math.min(dx, right - 1)
  if (handle.includes('e')) right = Math.max(dx, left + 1)
  if (handle.includes('n')) top = Math.min(dy, bottom - 1)
  if (handle.includes('s')) bottom = Math.max(dy, top + 1)
  const [center_x, center_y] = tupleOf(outward(box, (left + right) / 2, (top + bottom) / 2))
  return { ...box, center_x, center_y, width: rounded(right - left), height: rounded(bottom - top) }
}

export default {
  kind: 'rotated_box',
  bounds: (box) => boundsOfPoints(cornersOf(box)),
  hit: (box, point, tolerance) => {
    const { dx, dy } = inward(box, point)
    const inside = Math.min(box.width / 2 - Math.abs(dx), box.height / 2 - Math.abs(dy))
    if (inside < -tolerance) return null
    return inside <= tolerance ? 'edge' : 'inside'
  },
  moved: (box, dx, dy) => ({ ...box, center_x: rounded(box.center_x + dx), center_y: rounded(box.center_y + dy) }),
  handles: (box, length) => {
    const sides = SIDES.map(([name, u, v]): Handle => ({ name, ...outward(box, u * box.width, v * box.height), role: 'corner' }))
    return [...sides, { name: 'rotate', ...outward(box, 0, -box.height / 2 - length(STALK_PX)), role: 'rotate' }]
  },
  withHandleAt: (box, handle, to, { shift }) => (handle === 'rotate' ? rotatedTo(box, to, shift) : resized(box, handle, to)),
  paint: ({ pen, color, fillFraction, isSelected, zoom }, box) => {
    const [first, ...others] = cornersOf(box)
    pen.beginPath()
    pen.moveTo(...(first as Tuple))
    for (const corner of others) pen.lineTo(...corner)
    pen.closePath()
    pen.fillStyle = color
    pen.globalAlpha = fillFraction
    pen.fill()
    pen.globalAlpha = 1
    pen.stroke()
    if (!isSelected) return
    const [from, to] = [outward(box, 0, -box.height / 2), outward(box, 0, -box.height / 2 - STALK_PX / zoom)]
    pen.beginPath()
    pen.moveTo(from.x, from.y)
    pen.lineTo(to.x, to.y)
    pen.stroke()
  },
} satisfies Shape<RotatedBoxObject>

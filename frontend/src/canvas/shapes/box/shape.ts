import { rounded } from '../../geometry'
import type { BoxObject } from '../../object'
import type { Handle, Shape } from '../../shape'

/** Pixels of the picture; the contract wants more than none. */
export const SMALLEST_SIDE = 1

const HANDLES = [
  ['nw', 0, 0],
  ['n', 0.5, 0],
  ['ne', 1, 0],
  ['e', 1, 0.5],
  ['se', 1, 1],
  ['s', 0.5, 1],
  ['sw', 0, 1],
  ['w', 0, 0.5],
] as const

/** The upright rectangle between two corners, whichever they are, with sides that are not nothing. */
export function rectangle(ax: number, ay: number, bx: number, by: number) {
  const [x, y] = [Math.min(ax, bx), Math.min(ay, by)]
  const width = Math.max(Math.abs(ax - bx), SMALLEST_SIDE)
  const height = Math.max(Math.abs(ay - by), SMALLEST_SIDE)
  return { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) }
}

export default {
  kind: 'box',
  bounds: ({ x, y, width, height }) => ({ minX: x, minY: y, maxX: x + width, maxY: y + height }),
  hit: ({ x, y, width, height }, point, tolerance) => {
    const inside = Math.min(point.x - x, x + width - point.x, point.y - y, y + height - point.y)
    if (inside < -tolerance) return null
    return inside <= tolerance ? 'edge' : 'inside'
  },
  moved: (box, dx, dy) => ({ ...box, x: rounded(box.x + dx), y: rounded(box.y + dy) }),
  handles: ({ x, y, width, height }) =>
    HANDLES.map(([name, u, v]): Handle => ({ name, x: x + u * width, y: y + v * height, role: 'corner' })),
  withHandleAt: (box, handle, to, { shift }) => {
    let [x1, y1, x2, y2] = [box.x, box.y, box.x + box.width, box.y + box.height]
    if (handle.includes('w')) x1 = to.x
    if (handle.includes('e')) x2 = to.x
    if (handle.includes('n')) y1 = to.y
    if (handle.includes('s')) y2 = to.y
    if (shift && handle.length === 2) {
      const height = (Math.abs(x2 - x1) * box.height) / box.width
      if (handle.includes('n')) y1 = y2 - height
      else y2 = y1 + height
    }
    return { ...box, ...rectangle(x1, y1, x2, y2) }
  },
  paint: ({ pen, color, fillFraction }, { x, y, width, height }) => {
    pen.fillStyle = color
    pen.globalAlpha = fillFraction
    pen.fillRect(x, y, width, height)
    pen.globalAlpha = 1
    pen.strokeRect(x, y, width, height)
  },
} satisfies Shape<BoxObject>

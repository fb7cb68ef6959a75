/** Objects as the four corners or the upright rectangle that they fill. Pure. */
import type { BoxObject, CanvasObject, Tuple } from './object'
import { shapeOf } from './shapes'

type Rectangle = Pick<BoxObject, 'x' | 'y' | 'width' | 'height'>

export function boxObject(id: string, label: string, { x, y, width, height }: Rectangle): CanvasObject {
  return { kind: 'box', id, label, x, y, width, height }
}

/** The upright rectangle around an object, at least a pixel wide and high. */
export function boxOf(object: CanvasObject): Rectangle {
  const { minX, minY, maxX, maxY } = shapeOf(object).bounds(object)
  return { x: minX, y: minY, width: Math.max(1, maxX - minX), height: Math.max(1, maxY - minY) }
}

/** Four corners: those of a quadrangle, else those of the upright rectangle around the object. */
export function cornersOf(object: CanvasObject): Tuple[] {
  const points = object.kind === 'polygon' ? (object.parts[0]?.points ?? []) : []
  if (points.length === 4) return [...points]
  const { x, y, width, height } = boxOf(object)
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

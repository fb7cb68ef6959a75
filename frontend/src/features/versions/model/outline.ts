/** Where an annotation lies on its picture, for all that has an outline. Pure. */
import type { Told } from './annotation-words'

export type Point = readonly [x: number, y: number]

/** As much of an annotation as says where it lies. */
export interface Placed extends Told {
  id?: string | null
  x?: number
  y?: number
  width?: number
  height?: number
  center_x?: number
  center_y?: number
  angle_deg?: number
  points?: readonly unknown[]
}

export interface Outline {
  points: readonly Point[]
  /** A line has no inside. */
  isClosed: boolean
}

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

const corners = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

function turned([x, y]: Point, [center_x, center_y]: Point, angle_deg: number): Point {
  const [sin, cos] = [Math.sin((angle_deg * Math.PI) / 180), Math.cos((angle_deg * Math.PI) / 180)]
  return [center_x + (x - center_x) * cos - (y - center_y) * sin, center_y + (x - center_x) * sin + (y - center_y) * cos]
}

/** The outline of a box, a polygon or a line; null of what belongs to the whole item, or is drawn otherwise. */
export function outlineOf(one: Placed): Outline | null {
  const { kind, x = 0, y = 0, width = 0, height = 0, center_x = 0, center_y = 0, angle_deg = 0 } = one
  if (kind === 'box') return { points: corners(x, y, width, height), isClosed: true }
  if (kind === 'rotated_box') {
    const upright = corners(center_x - width / 2, center_y - height / 2, width, height)
    return { points: upright.map((corner) => turned(corner, [center_x, center_y], angle_deg)), isClosed: true }
  }
  if (kind === 'polygon' || kind === 'polyline') return { points: (one.points ?? []) as readonly Point[], isClosed: kind === 'polygon' }
  return null
}

export function boundsOf({ points }: Outline): Bounds {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** How much of what two boxes cover is covered by both, 0..1. */
export function overlapOf(one: Bounds, other: Bounds): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (one.width * one.height + other.width * other.height - width * height)
}

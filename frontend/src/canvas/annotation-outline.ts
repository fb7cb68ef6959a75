/** Where an annotation lies on its picture, for all that is drawn. Pure. */
import { ringsOf } from './assist/outline'
import type { KeypointsObject, MaskObject } from './object'
import { edgesOf, present } from './shapes/keypoints/shape'
import { tilesOf } from './shapes/mask/shape'
import type { Label } from '../lib/api/types'

export type Point = readonly [x: number, y: number]

/** The part of an annotation that locates it. */
export interface Placed {
  kind: string
  label?: string | null
  id?: string | null
  x?: number
  y?: number
  width?: number
  height?: number
  center_x?: number
  center_y?: number
  angle_deg?: number
  points?: readonly unknown[]
  holes?: readonly unknown[]
}

export interface Dot {
  at: Point
  /** A key point that is covered by something is where it is all the same. */
  isSeen: boolean
}

export interface Outline {
  /** Borders of what has an inside, its holes among them, or lines. */
  lines: readonly (readonly Point[])[]
  /** A line has no inside. */
  isClosed: boolean
  /** The annotation is the inside, not only the border. */
  isFilled?: boolean
  dots?: readonly Dot[]
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

/** What is drawn of an annotation; null of what belongs to the whole item, or lies nowhere. `label` knows the lines between key points. */
export function outlineOf(one: Placed, label?: Label): Outline | null {
  const outline = drawn(one, label)
  return outline && pointsOf(outline).length > 0 ? outline : null
}

function drawn(one: Placed, label: Label | undefined): Outline | null {
  const { kind, x = 0, y = 0, width = 0, height = 0, center_x = 0, center_y = 0, angle_deg = 0 } = one
  switch (kind) {
    case 'box':
      return { lines: [corners(x, y, width, height)], isClosed: true }
    case 'rotated_box': {
      const upright = corners(center_x - width / 2, center_y - height / 2, width, height)
      return { lines: [upright.map((corner) => turned(corner, [center_x, center_y], angle_deg))], isClosed: true }
    }
    case 'polygon':
      return { lines: [one.points ?? [], ...(one.holes ?? [])] as Point[][], isClosed: true }
    case 'polyline':
      return { lines: [(one.points ?? []) as Point[]], isClosed: false }
    case 'mask':
      return { lines: ringsOfMask(one as MaskObject), isClosed: true, isFilled: true }
    case 'keypoints':
      return skeleton(one as KeypointsObject, label)
    default:
      return null
  }
}

/** Borders are looked for once: every page that is drawn anew asks again. */
const known = new WeakMap<MaskObject, readonly Point[][]>()

function ringsOfMask(mask: MaskObject): readonly Point[][] {
  const rings = known.get(mask) ?? ringsOf(tilesOf(mask))
  known.set(mask, rings)
  return rings
}

function skeleton(keypoints: KeypointsObject, label: Label | undefined): Outline {
  const lines = edgesOf(label, keypoints).map((ends) => ends.map(({ x, y }): Point => [x, y]))
  const dots = present(keypoints).map(({ x, y, visibility }): Dot => ({ at: [x, y], isSeen: visibility === 2 }))
  return { lines, isClosed: false, dots }
}

export const pointsOf = ({ lines, dots = [] }: Outline): readonly Point[] => [...lines.flat(), ...dots.map(({ at }) => at)]

export function boundsOf(outline: Outline): Bounds {
  const [left, top, right, bottom] = pointsOf(outline).reduce(
    ([minX, minY, maxX, maxY], [x, y]) => [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)],
    [Infinity, Infinity, -Infinity, -Infinity],
  )
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** How much of what two boxes cover is covered by both, 0..1. */
export function overlapOf(one: Bounds, other: Bounds): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / (one.width * one.height + other.width * other.height - width * height)
}

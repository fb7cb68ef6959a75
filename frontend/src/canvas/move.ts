/** Moving objects without losing them over the picture's border. */
import { type Bounds, unitedBounds } from './coordinates'
import { rounded } from './geometry'
import type { CanvasObject } from './object'
import { shapeOf } from './shapes'

/**
 * Moves the objects together, at most to the border; a border within `snap` pixels of the picture attracts them.
 *
 * Objects that stood outside already may stay outside, but come no further out.
 */
export function movedWithin(objects: readonly CanvasObject[], dx: number, dy: number, picture: Bounds, snap = 0): CanvasObject[] {
  if (objects.length === 0) return []
  const all = unitedBounds(objects.map((object) => shapeOf(object).bounds(object)))
  const x = limited(dx, picture.minX - all.minX, picture.maxX - all.maxX, snap)
  const y = limited(dy, picture.minY - all.minY, picture.maxY - all.maxY, snap)
  const whole = objects.some((object) => object.kind === 'mask')
  const by = whole ? [Math.round(x), Math.round(y)] : [rounded(x), rounded(y)]
  return objects.map((object) => shapeOf(object).moved(object, by[0] as number, by[1] as number))
}

/** The object brought into the picture by the shortest way; one that is larger begins at the picture's origin. */
export function broughtWithin(object: CanvasObject, picture: Bounds): CanvasObject {
  const shape = shapeOf(object)
  const own = shape.bounds(object)
  const by = (from: number, to: number, end: number) => (from < 0 || to - from > end ? -from : to > end ? end - to : 0)
  return shape.moved(object, by(own.minX, own.maxX, picture.maxX), by(own.minY, own.maxY, picture.maxY))
}

function limited(by: number, toStart: number, toEnd: number, snap: number): number {
  const [least, most] = [Math.min(toStart, 0), Math.max(toEnd, 0)]
  const within = Math.min(Math.max(by, least), most)
  if (Math.abs(within - toStart) <= snap) return toStart
  if (Math.abs(within - toEnd) <= snap) return toEnd
  return within
}

/** Points, segments and rings. */
import type { PicturePoint, ScreenPoint } from './coordinates'
import type { Tuple } from './object'

/** Between two points of one space. */
export function distance(one: PicturePoint, other: PicturePoint): number
export function distance(one: ScreenPoint, other: ScreenPoint): number
export function distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** The distance of a point from the segment between two others. */
export function distanceToSegment(point: PicturePoint, [ax, ay]: Tuple, [bx, by]: Tuple): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((point.x - ax) * dx + (point.y - ay) * dy) / length))
  return Math.hypot(point.x - ax - share * dx, point.y - ay - share * dy)
}

/** Pairs of neighbours; the last and the first are neighbours in a ring. */
export function* segments(points: readonly Tuple[], isClosed: boolean): Generator<[Tuple, Tuple]> {
  for (let index = 1; index < points.length; index += 1) yield [points[index - 1] as Tuple, points[index] as Tuple]
  if (isClosed && points.length > 2) yield [points.at(-1) as Tuple, points[0] as Tuple]
}

/** Whether a path passes within `tolerance` of the point. */
export function isNearPath(points: readonly Tuple[], isClosed: boolean, point: PicturePoint, tolerance: number): boolean {
  for (const [from, to] of segments(points, isClosed)) if (distanceToSegment(point, from, to) <= tolerance) return true
  return false
}

/** Whether the point lies within the ring, by the even-odd rule. */
export function isInRing(ring: readonly Tuple[], point: PicturePoint): boolean {
  let isIn = false
  for (const [[ax, ay], [bx, by]] of segments(ring, true)) {
    if (ay > point.y !== by > point.y && point.x < ((bx - ax) * (point.y - ay)) / (by - ay) + ax) isIn = !isIn
  }
  return isIn
}

/** Twice the area; positive when the ring runs clockwise on the screen. */
export function doubleArea(ring: readonly Tuple[]): number {
  let sum = 0
  for (const [[ax, ay], [bx, by]] of segments(ring, true)) sum += ax * by - bx * ay
  return sum
}

/**
 * Fewer points, none further than `tolerance` from the line they stood on (Douglas and Peucker 1973, without recursion).
 * The ends stay.
 */
export function simplifiedPath(points: readonly Tuple[], tolerance: number): Tuple[] {
  if (points.length < 3) return [...points]
  const kept = new Uint8Array(points.length)
  kept[0] = kept[points.length - 1] = 1
  const open: [number, number][] = [[0, points.length - 1]]
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range
    let [furthest, most] = [-1, tolerance]
    for (let index = from + 1; index < to; index += 1) {
      const [x, y] = points[index] as Tuple
      const away = distanceToSegment({ x, y }, points[from] as Tuple, points[to] as Tuple)
      if (away > most) [furthest, most] = [index, away]
    }
    if (furthest < 0) continue
    kept[furthest] = 1
    open.push([from, furthest], [furthest, to])
  }
  return points.filter((_, index) => kept[index])
}

/** A simpler ring; it is cut at its two points that are furthest apart from the first. Never fewer than three points. */
export function simplifiedRing(ring: readonly Tuple[], tolerance: number): Tuple[] {
  const [first] = ring
  if (!first || ring.length < 4) return [...ring]
  const away = ring.map(([x, y]) => Math.hypot(x - first[0], y - first[1]))
  const far = away.indexOf(Math.max(...away))
  const there = simplifiedPath(ring.slice(0, far + 1), tolerance)
  const back = simplifiedPath([...ring.slice(far), first], tolerance)
  const out = [...there, ...back.slice(1, -1)]
  return out.length < 3 ? [...ring] : out
}

/** The point, turned clockwise on the screen about a centre. */
export function turned(point: PicturePoint, center: PicturePoint, angleDeg: number): PicturePoint {
  const angle = (angleDeg * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [dx, dy] = [point.x - center.x, point.y - center.y]
  return { x: center.x + dx * cos - dy * sin, y: center.y + dx * sin + dy * cos }
}

/** Coordinates are kept to a hundredth of a pixel: finer is noise of the hand and makes long JSON. */
export const rounded = (value: number): number => Math.round(value * 100) / 100

export const tupleOf = (point: PicturePoint): Tuple => [rounded(point.x), rounded(point.y)]

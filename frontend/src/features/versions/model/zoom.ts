/** Which part of a picture is looked at; both sides of a comparison look at the same. Pure. */
import type { Bounds } from '../../../canvas/annotation-outline'

export interface Size {
  width: number
  height: number
}

const MOST_TIMES = 40

export const whole = ({ width, height }: Size): Bounds => ({ x: 0, y: 0, width, height })

/** Nearer or further by a factor; the point, in pixels of the picture, stays where it is. */
export function zoomed(view: Bounds, factor: number, picture: Size, at: { x: number; y: number } = centre(view)): Bounds {
  const width = clamp(view.width / factor, picture.width / MOST_TIMES, picture.width)
  const scale = width / view.width
  const moved = { x: at.x - (at.x - view.x) * scale, y: at.y - (at.y - view.y) * scale, width, height: view.height * scale }
  return inside(moved, picture)
}

/** Moved by parts of what is seen. */
export function panned(view: Bounds, [right, down]: readonly [number, number], picture: Size): Bounds {
  return inside({ ...view, x: view.x + right * view.width, y: view.y + down * view.height }, picture)
}

/** So near that what changed fills most of the view; the whole where nothing did. */
export function viewOf(changed: readonly Bounds[], picture: Size): Bounds {
  if (changed.length === 0) return whole(picture)
  const [left, top] = [Math.min(...changed.map(({ x }) => x)), Math.min(...changed.map(({ y }) => y))]
  const right = Math.max(...changed.map(({ x, width }) => x + width))
  const bottom = Math.max(...changed.map(({ y, height }) => y + height))
  const share = Math.min(1, Math.max((right - left) / picture.width, (bottom - top) / picture.height, 1 / MOST_TIMES) * 1.5)
  const [width, height] = [picture.width * share, picture.height * share]
  return inside({ x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height }, picture)
}

const centre = ({ x, y, width, height }: Bounds) => ({ x: x + width / 2, y: y + height / 2 })

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

function inside(view: Bounds, { width, height }: Size): Bounds {
  return { ...view, x: clamp(view.x, 0, width - view.width), y: clamp(view.y, 0, height - view.height) }
}

/** Handles of paths: one on each vertex, one between two vertices that makes a new one. */
import type { Tuple } from './object'
import type { Handle } from './shape'

export const vertexHandles = (path: string, points: readonly Tuple[]): Handle[] =>
  points.map(([x, y], index) => ({ name: `${path}/${index}`, x, y, role: 'vertex' }))

/** Only where the segment is longer than `least`, so that they do not hide the vertices. */
export function middleHandles(path: string, points: readonly Tuple[], isClosed: boolean, least: number): Handle[] {
  const count = isClosed ? points.length : points.length - 1
  return Array.from({ length: count }, (_, index): Handle[] => {
    const [ax, ay] = points[index] as Tuple
    const [bx, by] = points[(index + 1) % points.length] as Tuple
    if (Math.hypot(bx - ax, by - ay) < least) return []
    return [{ name: `${path}/+${index + 1}`, x: (ax + bx) / 2, y: (ay + by) / 2, role: 'middle' }]
  }).flat()
}

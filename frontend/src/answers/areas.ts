/** Areas of labels on a coarse grid of their picture: what pages draw and count. Pure. */
import { ringsOf } from '../canvas/assist/outline'
import type { Tuple } from '../canvas/object'
import { coarseMask, coarsePolygon } from '../canvas/shapes/mask/coarse'
import { MaskTiles } from '../canvas/shapes/mask/tiles'
import type { AnnotationLike } from './kind'

export interface Sides {
  width_px: number
  height_px: number
}

/** Cells of the longer side. */
const FINE = 640
const SMALL = 200

/** Pixels of the picture to a cell's side: fewer cells where there is no room for names. */
export const stepFor = ({ width_px, height_px }: Sides, isLarge: boolean) =>
  Math.max(1, Math.ceil(Math.max(width_px, height_px) / (isLarge ? FINE : SMALL)))

const known = new WeakMap<AnnotationLike, Map<number, MaskTiles>>()

/** What an annotation covers; null of what has no inside. Looked up once for each size. */
export function areaOf(one: AnnotationLike, { width_px, height_px }: Sides, step: number): MaskTiles | null {
  const sizes = known.get(one) ?? new Map<number, MaskTiles>()
  const area = sizes.get(step) ?? covered(one, width_px, height_px, step)
  if (area) known.set(one, sizes.set(step, area))
  return area
}

function covered(one: AnnotationLike, width_px: number, height_px: number, step: number): MaskTiles | null {
  if (one.kind === 'mask' && one.width && one.height && one.counts !== undefined) {
    return coarseMask({ width: one.width, height: one.height, counts: one.counts }, step)
  }
  if (one.kind !== 'polygon' || !one.points) return null
  return coarsePolygon({ points: one.points as Tuple[], holes: (one.holes ?? []) as Tuple[][] }, width_px, height_px, step)
}

/** The same areas without what later ones lie over. */
export function withoutCovered<T extends { area: MaskTiles }>(areas: readonly T[]): T[] {
  const [first] = areas
  if (!first) return []
  const covered = new MaskTiles(first.area.width, first.area.height)
  const seen: T[] = []
  for (const one of areas.toReversed()) {
    if (covered.meets(one.area)) {
      const area = one.area.copy()
      area.remove(covered)
      if (!area.isEmpty) seen.push({ ...one, area })
    } else seen.push(one)
    covered.add(one.area)
  }
  return seen.toReversed()
}

/** Borders of an area as an SVG path in pixels of the picture. */
export function pathOf(area: MaskTiles, step: number): string {
  return ringsOf(area)
    .map((ring) => `M${ring.map(([x, y]) => `${x * step} ${y * step}`).join('L')}z`)
    .join('')
}

/** The middle of the longest column of an area, in pixels of the picture: a name stands there; null of an empty one. */
export function placeIn(area: MaskTiles, step: number): { x: number; y: number } | null {
  let [longest, place] = [0, null as { x: number; y: number } | null]
  area.forEachRun((x, from, to) => {
    if (to - from > longest) [longest, place] = [to - from, { x: (x + 0.5) * step, y: ((from + to) / 2) * step }]
  })
  return place
}

/** How many of its cells an area covers. */
export function sizeOf(area: MaskTiles): number {
  let size = 0
  area.forEachRun((_, from, to) => {
    size += to - from
  })
  return size
}

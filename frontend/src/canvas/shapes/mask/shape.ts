import type { MaskObject } from '../../object'
import type { Shape } from '../../shape'
import { smoothed } from './smooth'
import { MaskTiles } from './tiles'

/** Pixels of the picture by which an outline is smoothed at most. */
const LARGEST_SMOOTHING = 16

const decoded = new WeakMap<MaskObject, MaskTiles>()

/** Pixels by their run lengths: what was drawn last is not decoded when it comes back as an operation, or by undo. */
const recent = new Map<string, MaskTiles>()
const MOST_RECENT = 12

const keyOf = ({ width, height, counts }: MaskObject) => `${width}x${height} ${counts}`

/** The pixels of a mask; read only: change a copy. Decoded once. */
export function tilesOf(object: MaskObject): MaskTiles {
  let tiles = decoded.get(object)
  if (!tiles) {
    tiles = recent.get(keyOf(object)) ?? MaskTiles.from(object.width, object.height, object.counts)
    decoded.set(object, tiles)
  }
  return tiles
}

/** The object with other pixels. */
export function withTiles(object: MaskObject, tiles: MaskTiles): MaskObject {
  const out = { ...object, counts: tiles.counts() }
  decoded.set(out, tiles)
  recent.set(keyOf(out), tiles)
  for (const key of [...recent.keys()].slice(0, -MOST_RECENT)) recent.delete(key)
  return out
}

/** The object with other pixels to look at while a stroke lasts; its `counts` are still the old ones. */
export function sketchedWith(object: MaskObject, tiles: MaskTiles): MaskObject {
  const out = { ...object }
  decoded.set(out, tiles)
  return out
}

export default {
  kind: 'mask',
  bounds: (object) => tilesOf(object).bounds() ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 },
  hit: (object, point) => (tilesOf(object).has(point.x, point.y) ? 'inside' : null),
  moved: (object, dx, dy) => (dx === 0 && dy === 0 ? object : withTiles(object, tilesOf(object).moved(Math.round(dx), Math.round(dy)))),
  handles: () => [],
  withHandleAt: (object) => object,
  simplified: (object, tolerance) => {
    const tiles = smoothed(tilesOf(object), Math.min(Math.max(Math.round(tolerance), 1), LARGEST_SMOOTHING))
    return tiles.isEmpty ? object : withTiles(object, tiles)
  },
  paint: ({ drawMask, color, fillFraction, isSelected }, object) =>
    drawMask(object, color, Math.min(1, fillFraction * 2.5 + (isSelected ? 0.2 : 0))),
} satisfies Shape<MaskObject>

import type { MaskObject } from '../../object'
import type { Shape } from '../../shape'
import { MaskTiles } from './tiles'

const decoded = new WeakMap<MaskObject, MaskTiles>()

/** The pixels of a mask; read only: change a copy. Decoded once. */
export function tilesOf(object: MaskObject): MaskTiles {
  let tiles = decoded.get(object)
  if (!tiles) {
    tiles = MaskTiles.from(object.width, object.height, object.counts)
    decoded.set(object, tiles)
  }
  return tiles
}

/** The object with other pixels. */
export function withTiles(object: MaskObject, tiles: MaskTiles): MaskObject {
  const out = { ...object, counts: tiles.counts() }
  decoded.set(out, tiles)
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
  paint: ({ drawMask, color, fillFraction, isSelected }, object) =>
    drawMask(object, color, Math.min(1, fillFraction * 2.5 + (isSelected ? 0.2 : 0))),
} satisfies Shape<MaskObject>

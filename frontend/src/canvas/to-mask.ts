/** Polygons into masks. */
import type { Operation } from './document'
import type { Editor } from './editor'
import { makeId, type MaskObject, type PolygonObject } from './object'
import { fillPart } from './shapes/mask/fill'
import { withTiles } from './shapes/mask/shape'
import { MaskTiles } from './shapes/mask/tiles'

const filled = new WeakMap<PolygonObject, MaskTiles>()

/** The pixels whose middle lies within the polygon; read only: change a copy. */
export function pixelsOfPolygon(object: PolygonObject, width: number, height: number): MaskTiles {
  let tiles = filled.get(object)
  if (!tiles) {
    tiles = new MaskTiles(width, height)
    for (const part of object.parts) fillPart(tiles, part)
    filled.set(object, tiles)
  }
  return tiles
}

/** Replaces polygons by masks with new ids: an id keeps its kind, so that changes by others can be matched. */
export function polygonToMask(editor: Editor, ids: Iterable<string>): void {
  const { width, height } = editor.viewport.picture
  const made: string[] = []
  const operations = [...ids].flatMap((id): Operation[] => {
    const object = editor.document.get(id)
    if (object?.kind !== 'polygon') return []
    const tiles = pixelsOfPolygon(object, width, height)
    if (tiles.isEmpty) return []
    const mask = withTiles(maskInstead(object, { width, height, counts: '' }), tiles)
    made.push(mask.id)
    return [
      { type: 'add', object: mask, above: id },
      { type: 'remove', id },
    ]
  })
  if (editor.commit(operations)) editor.selection.set(made)
}

/** A mask that says the same of its object, with a new id. */
export function maskInstead(object: PolygonObject, pixels: Pick<MaskObject, 'width' | 'height' | 'counts'>): MaskObject {
  const { label, attributes, score } = object
  return { kind: 'mask', id: makeId(), label, ...(attributes && { attributes }), ...(score != null && { score }), ...pixels }
}

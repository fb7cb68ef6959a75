/** Polygons into masks. */
import type { Operation } from './document'
import type { Editor } from './editor'
import { makeId, type MaskObject, type PolygonObject } from './object'
import { fillPart } from './shapes/mask/fill'
import { MaskTiles } from './shapes/mask/tiles'

/** Replaces polygons by masks with new ids: an id keeps its kind, so that changes by others can be matched. */
export function polygonToMask(editor: Editor, ids: Iterable<string>): void {
  const { width, height } = editor.viewport.picture
  const made: string[] = []
  const operations = [...ids].flatMap((id): Operation[] => {
    const object = editor.document.get(id)
    if (object?.kind !== 'polygon') return []
    const tiles = new MaskTiles(width, height)
    for (const part of object.parts) fillPart(tiles, part)
    if (tiles.isEmpty) return []
    const mask = maskInstead(object, { width, height, counts: tiles.counts() })
    made.push(mask.id)
    return [
      { type: 'add', object: mask, above: id },
      { type: 'remove', id },
    ]
  })
  if (editor.commit(operations)) editor.selection.set(made)
}

function maskInstead(object: PolygonObject, pixels: Pick<MaskObject, 'width' | 'height' | 'counts'>): MaskObject {
  const { label, attributes, score } = object
  return { kind: 'mask', id: makeId(), label, ...(attributes && { attributes }), ...(score != null && { score }), ...pixels }
}

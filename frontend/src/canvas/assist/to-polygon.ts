/** Masks into polygons. */
import type { Operation } from '../document'
import type { Editor } from '../editor'
import { makeId } from '../object'
import { polygonOf } from './outline'

/** Puts polygons with new names in the place of masks, as precise as they are shown. */
export function maskToPolygon(editor: Editor, ids: Iterable<string>): void {
  const made: string[] = []
  const operations = [...ids].flatMap((id): Operation[] => {
    const mask = editor.document.get(id)
    if (mask?.kind !== 'mask' || !editor.appearance.isFree(id)) return []
    const polygon = { ...polygonOf(mask, editor.viewport.length(1)), id: makeId() }
    if (polygon.parts.length === 0) return []
    made.push(polygon.id)
    return [
      { type: 'add', object: polygon, above: id },
      { type: 'remove', id },
    ]
  })
  if (editor.commit(operations)) editor.selection.set(made)
}

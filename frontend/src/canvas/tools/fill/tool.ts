/** A click into a hole of a mask fills it; a click into a polygon makes a mask of it. */
import type { Editor } from '../../editor'
import { objectsAt } from '../../hit-test'
import type { MaskObject } from '../../object'
import type { Tool } from '../../shape'
import { fillHole } from '../../shapes/mask/fill'
import { tilesOf } from '../../shapes/mask/shape'
import type { PointerInput, StateNode } from '../../state-node'
import { polygonToMask } from '../../to-mask'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: ({ point }: PointerInput) => {
    if (masksAround(editor, point).some((mask) => filled(editor, mask, point))) return
    const under = objectsAt(editor, point).map((id) => editor.document.get(id))
    const polygon = under.find((object) => object?.kind === 'polygon')
    if (polygon) polygonToMask(editor, [polygon.id])
  },
})

/** Masks whose bounds hold the point; the chosen one first, then from the top. */
function masksAround(editor: Editor, { x, y }: { x: number; y: number }): MaskObject[] {
  return editor.index
    .search({ minX: x, minY: y, maxX: x, maxY: y })
    .flatMap((id) => editor.document.get(id) ?? [])
    .filter((object): object is MaskObject => object.kind === 'mask' && editor.appearance.isFree(object.id))
    .sort((one, other) => rank(editor, other) - rank(editor, one))
}

const rank = (editor: Editor, { id }: MaskObject) => (editor.selection.has(id) ? Infinity : editor.document.place(id))

function filled(editor: Editor, mask: MaskObject, { x, y }: { x: number; y: number }): boolean {
  const tiles = tilesOf(mask).copy()
  if (!fillHole(tiles, x, y)) return false
  editor.selection.set([mask.id])
  return editor.commit([{ type: 'update', id: mask.id, patch: { counts: tiles.counts() } }])
}

export default { name: 'fill', order: 18, makes: 'mask', start: idle } satisfies Tool

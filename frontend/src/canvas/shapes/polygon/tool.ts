/** Alt on the first point cuts a hole into the chosen polygon, Shift adds another part to it. */
import { drawPath } from '../../draw'
import type { Editor } from '../../editor'
import { isInRing } from '../../geometry'
import { makeId, type PolygonObject, type Tuple } from '../../object'
import { addOutline } from '../../painting'
import type { Tool } from '../../shape'
import type { PointerInput, StateNode } from '../../state-node'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) =>
    go(
      drawPath(editor, input, {
        isClosed: true,
        least: 3,
        idle: () => idle(editor),
        finish: (points, first) => finish(editor, points, first),
      }),
    ),
})

function finish(editor: Editor, points: Tuple[], { alt, shift }: PointerInput): void {
  const chosen = editor.selection.only ? editor.document.get(editor.selection.only) : undefined
  const target = chosen?.kind === 'polygon' && editor.appearance.isFree(chosen.id) ? chosen : null
  if (target && (alt || shift)) {
    const parts = alt ? withHole(target, points) : [...target.parts, { points, holes: [] }]
    editor.commit([{ type: 'update', id: target.id, patch: { parts } }])
    return
  }
  addOutline(editor, { kind: 'polygon', id: makeId(), label: editor.label, parts: [{ points, holes: [] }] })
}

/** The hole belongs to the part in which it begins, or to the first. */
function withHole(polygon: PolygonObject, hole: Tuple[]): PolygonObject['parts'] {
  const [x, y] = hole[0] as Tuple
  const found = polygon.parts.findIndex((part) => isInRing(part.points, { x, y }))
  const at = Math.max(found, 0)
  return polygon.parts.map((part, index) => (index === at ? { ...part, holes: [...part.holes, hole] } : part))
}

export default { name: 'polygon', order: 12, makes: 'polygon', start: idle } satisfies Tool

import type { PicturePoint } from '../../coordinates'
import { placed, secondPoint } from '../../draw'
import type { Editor } from '../../editor'
import { type BoxObject, makeId } from '../../object'
import type { Tool } from '../../shape'
import type { PointerInput, StateNode } from '../../state-node'
import { rectangle } from './shape'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) => go(drawing(editor, input)),
})

function drawing(editor: Editor, from: PointerInput): StateNode {
  const start = placed(editor, from.point)
  const id = makeId()
  const boxTo = (to: PicturePoint, isSquare: boolean): BoxObject => {
    const side = Math.min(Math.abs(to.x - start.x), Math.abs(to.y - start.y))
    const end = isSquare ? { x: start.x + Math.sign(to.x - start.x) * side, y: start.y + Math.sign(to.y - start.y) * side } : to
    return { kind: 'box', id, label: editor.label, ...rectangle(start.x, start.y, end.x, end.y) }
  }
  return secondPoint(editor, {
    name: 'drawing',
    from,
    show: (to, { shift }) => editor.sketch({ preview: { kind: 'object', object: boxTo(to, shift) } }),
    done: (to, { shift }) => {
      if (Math.abs(to.x - start.x) >= 1 && Math.abs(to.y - start.y) >= 1) editor.add(boxTo(to, shift))
      return idle(editor)
    },
    idle: () => idle(editor),
  })
}

export default { name: 'box', order: 10, makes: 'box', start: idle } satisfies Tool

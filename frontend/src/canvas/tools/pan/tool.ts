import type { ScreenPoint } from '../../coordinates'
import type { Editor } from '../../editor'
import type { Tool } from '../../shape'
import type { StateNode } from '../../state-node'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) => go(panning(editor, input.screen)),
})

function panning(editor: Editor, from: ScreenPoint): StateNode {
  let last = from
  return {
    name: 'panning',
    onPointerMove: ({ screen }) => {
      editor.viewport.panBy({ x: screen.x - last.x, y: screen.y - last.y })
      last = screen
    },
    onPointerUp: (_, go) => go(idle(editor)),
    onCancel: (go) => {
      go(idle(editor))
      return true
    },
  }
}

export default { name: 'pan', order: 1, start: idle } satisfies Tool

import { drawPath } from '../../draw'
import type { Editor } from '../../editor'
import { makeId } from '../../object'
import type { Tool } from '../../shape'
import type { StateNode } from '../../state-node'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) =>
    go(
      drawPath(editor, input, {
        isClosed: false,
        least: 2,
        idle: () => idle(editor),
        finish: (points) => editor.add({ kind: 'polyline', id: makeId(), label: editor.label, points }),
      }),
    ),
})

export default { name: 'polyline', order: 13, makes: 'polyline', start: idle } satisfies Tool

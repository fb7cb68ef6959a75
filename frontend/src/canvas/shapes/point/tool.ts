/** One click, one point: keypoints with a single point, of labels without a skeleton. */
import { placed } from '../../draw'
import type { Editor } from '../../editor'
import { tupleOf } from '../../geometry'
import { makeId } from '../../object'
import type { Tool } from '../../shape'
import type { StateNode } from '../../state-node'

export const POINT_NAME = 'point'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: ({ point }) => {
    const [x, y] = tupleOf(placed(editor, point))
    editor.add({ kind: 'keypoints', id: makeId(), label: editor.label, points: [{ name: POINT_NAME, x, y, visibility: 2 }] })
  },
})

export default { name: 'point', order: 14, makes: 'keypoints', start: idle } satisfies Tool

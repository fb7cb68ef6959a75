/** One side first, then how far the box reaches from it: three clicks, or a drag and a click. */
import type { PicturePoint } from '../../coordinates'
import { placed, secondPoint } from '../../draw'
import type { Editor } from '../../editor'
import { distance, rounded } from '../../geometry'
import { makeId, type RotatedBoxObject } from '../../object'
import type { Tool } from '../../shape'
import type { PointerInput, StateNode } from '../../state-node'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) => go(side(editor, input)),
})

function side(editor: Editor, from: PointerInput): StateNode {
  const start = placed(editor, from.point)
  return secondPoint(editor, {
    name: 'side',
    from,
    show: (to) => editor.sketch({ preview: { kind: 'path', points: [start, to], label: editor.label, canClose: false } }),
    done: (to) => (distance(start, to) < 1 ? idle(editor) : depth(editor, start, to)),
    idle: () => idle(editor),
  })
}

/** The box with one side from `from` to `to`, reaching up to the point's height over that side. */
export function boxOnSide(from: PicturePoint, to: PicturePoint, reach: PicturePoint): Omit<RotatedBoxObject, 'id' | 'label'> {
  const width = distance(from, to)
  const [ux, uy] = [(to.x - from.x) / width, (to.y - from.y) / width]
  const over = (reach.x - from.x) * -uy + (reach.y - from.y) * ux
  const height = Math.max(Math.abs(over), 1)
  const half = (Math.sign(over) || 1) * (height / 2)
  return {
    kind: 'rotated_box',
    center_x: rounded((from.x + to.x) / 2 - uy * half),
    center_y: rounded((from.y + to.y) / 2 + ux * half),
    width: rounded(width),
    height: rounded(height),
    angle_deg: rounded((Math.atan2(uy, ux) * 180) / Math.PI),
  }
}

function depth(editor: Editor, from: PicturePoint, to: PicturePoint): StateNode {
  const id = makeId()
  const boxTo = (reach: PicturePoint): RotatedBoxObject => ({ ...boxOnSide(from, to, reach), id, label: editor.label })
  const show = (reach: PicturePoint) => editor.sketch({ preview: { kind: 'object', object: boxTo(reach) } })
  return {
    name: 'depth',
    onEnter: () => show(to),
    onPointerMove: ({ point }) => show(placed(editor, point)),
    onPointerDown: ({ point }, go) => {
      go(idle(editor))
      editor.add(boxTo(placed(editor, point)))
    },
    onCancel: (go) => {
      go(idle(editor))
      return true
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

export default { name: 'rotated_box', order: 11, makes: 'rotated_box', start: idle } satisfies Tool

/** Four corners: a box that is dragged, or corner by corner. The corners of a box go clockwise from its upper left. */
import type { PicturePoint } from '../../coordinates'
import { placed } from '../../draw'
import type { Editor } from '../../editor'
import { distance, tupleOf } from '../../geometry'
import { makeId, type PolygonObject, type Tuple } from '../../object'
import type { Tool } from '../../shape'
import type { PointerInput, StateNode } from '../../state-node'
import { rectangle } from '../box/shape'

const CORNERS = 4
const DRAG_PX = 3

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) => go(drawing(editor, input)),
})

function drawing(editor: Editor, first: PointerInput): StateNode {
  const id = makeId()
  const points: PicturePoint[] = [placed(editor, first.point)]
  const start = points[0] as PicturePoint
  let isPressed = true
  const isDrag = ({ screen }: PointerInput) => isPressed && points.length === 1 && distance(first.screen, screen) > DRAG_PX
  const polygon = (corners: Tuple[]): PolygonObject => ({
    kind: 'polygon',
    id,
    label: editor.label,
    parts: [{ points: corners, holes: [] }],
  })
  return {
    name: 'drawing',
    onPointerDown: ({ point }) => {
      isPressed = true
      points.push(placed(editor, point))
    },
    onPointerMove: (input) => {
      const at = placed(editor, input.point)
      editor.sketch({
        preview: isDrag(input)
          ? { kind: 'object', object: polygon(boxBetween(start, at)) }
          : { kind: 'path', points: [...points, at], label: editor.label, canClose: false },
      })
    },
    onPointerUp: (input, go) => {
      const at = placed(editor, input.point)
      const wasDrag = isDrag(input)
      isPressed = false
      // Not when the button goes down: the drawing area takes the focus then, and what the line says is typed next.
      if (points.length === CORNERS) editor.add(polygon(points.map(tupleOf)))
      else if (!wasDrag) return
      else if (Math.abs(at.x - start.x) >= 1 && Math.abs(at.y - start.y) >= 1) editor.add(polygon(boxBetween(start, at)))
      go(idle(editor))
    },
    onRemoveLast: (go) => {
      points.pop()
      if (points.length === 0) go(idle(editor))
      return true
    },
    onCancel: (go) => {
      go(idle(editor))
      return true
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

function boxBetween(from: PicturePoint, to: PicturePoint): Tuple[] {
  const { x, y, width, height } = rectangle(from.x, from.y, to.x, to.y)
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

export default { name: 'quad', order: 11.5, makes: 'polygon', start: idle } satisfies Tool

/** Brush and eraser: the same state machine with another colour. */
import { addSimilar } from '../../colors/similar'
import type { PicturePoint } from '../../coordinates'
import type { Editor } from '../../editor'
import { distance } from '../../geometry'
import { objectsAt } from '../../hit-test'
import type { MaskObject } from '../../object'
import { Painting } from '../../painting'
import type { PointerInput, StateNode } from '../../state-node'
import { MaskTiles } from './tiles'

/** Of the radius: how far apart the smart brush looks at colours. */
const SMART_STEP = 0.35

const radiusOf = (editor: Editor) => Math.max(editor.brushRadius, 0.5)

const isSmart = (editor: Editor) => editor.paint.isSmart && editor.colors !== null

export function idleStroke(editor: Editor, isErasing: boolean): StateNode {
  const show = ({ point, alt, shift }: PointerInput) => {
    const from = shift ? editor.strokeEnd : null
    editor.sketch({
      preview: { kind: 'brush', at: point, radius: radiusOf(editor), isErasing: isErasing !== alt, isSmart: isSmart(editor), from },
    })
  }
  return {
    name: 'idle',
    onPointerMove: show,
    onPointerDown: (input, go) => {
      const isWiping = isErasing !== input.alt
      const target = isWiping ? maskUnder(editor, input.point) : maskToGoOn(editor)
      if (target || !isWiping) go(painting(editor, input, target, isErasing))
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

function chosenMask(editor: Editor): MaskObject | null {
  const object = editor.selection.only ? editor.document.get(editor.selection.only) : undefined
  return object?.kind === 'mask' && editor.appearance.isFree(object.id) ? object : null
}

/** A stroke goes on with the chosen mask when it has the current label; otherwise it begins another. */
export function maskToGoOn(editor: Editor): MaskObject | null {
  const chosen = chosenMask(editor)
  return chosen && chosen.label === editor.label ? chosen : null
}

export function maskUnder(editor: Editor, point: PicturePoint): MaskObject | null {
  const chosen = chosenMask(editor)
  if (chosen) return chosen
  for (const id of objectsAt(editor, point)) {
    const object = editor.document.get(id)
    if (object?.kind === 'mask') return object
  }
  return null
}

function painting(editor: Editor, first: PointerInput, target: MaskObject | null, isEraser: boolean): StateNode {
  const isWiping = isEraser !== first.alt
  const painted = new Painting(editor, target)
  let last = (first.shift && editor.strokeEnd) || first.point
  const dab = (to: PicturePoint): MaskTiles | null => {
    const area = new MaskTiles(editor.viewport.picture.width, editor.viewport.picture.height)
    if (isSmart(editor)) return smartDab(editor, area, last, to)
    area.stroke(last, to, radiusOf(editor), 1)
    return area
  }
  const draw = (to: PicturePoint) => {
    const area = dab(to)
    if (area) {
      last = to
      if (isWiping) painted.remove(area)
      else painted.add(area)
    }
    const { drafts, object } = painted.sketch()
    const brush = { kind: 'brush' as const, at: to, radius: radiusOf(editor), isErasing: isWiping, isSmart: isSmart(editor) }
    editor.sketch({ preview: { ...brush, ...(object && { object }) }, drafts })
  }
  return {
    name: 'painting',
    onEnter: () => draw(first.point),
    onPointerMove: ({ point }) => draw(point),
    onPointerUp: (_, go) => {
      editor.strokeEnd = last
      go(idleStroke(editor, isEraser))
      painted.commit()
    },
    onCancel: (go) => {
      go(idleStroke(editor, isEraser))
      return true
    },
    onExit: () => editor.sketch({ preview: null, drafts: new Map() }),
  }
}

/** Discs on the way, each with the colours of its own middle; null while the pointer has hardly moved. */
function smartDab(editor: Editor, area: MaskTiles, from: PicturePoint, to: PicturePoint): MaskTiles | null {
  const { colors, paint } = editor
  const radius = radiusOf(editor)
  const step = Math.max(radius * SMART_STEP, 1)
  const length = distance(from, to)
  if (!colors || (length > 0 && length < step)) return null
  const count = Math.max(1, Math.round(length / step))
  for (let index = 1; index <= count; index += 1) {
    const at = { x: from.x + ((to.x - from.x) * index) / count, y: from.y + ((to.y - from.y) * index) / count }
    addSimilar(area, colors, at, radius, paint.tolerance)
  }
  return area
}

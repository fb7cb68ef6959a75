/** Brush and eraser: the same state machine with another colour. */
import type { PicturePoint } from '../../coordinates'
import type { Editor } from '../../editor'
import { objectsAt } from '../../hit-test'
import { makeId, type MaskObject } from '../../object'
import type { PointerInput, StateNode } from '../../state-node'
import { sketchedWith, tilesOf, withTiles } from './shape'
import { MaskTiles } from './tiles'

const radiusOf = (editor: Editor) => Math.max(editor.brushRadius, 0.5)

export function idleStroke(editor: Editor, isErasing: boolean): StateNode {
  const show = (at: PicturePoint, alt: boolean) =>
    editor.sketch({ preview: { kind: 'brush', at, radius: radiusOf(editor), isErasing: isErasing !== alt } })
  return {
    name: 'idle',
    onPointerMove: ({ point, alt }) => show(point, alt),
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
function maskToGoOn(editor: Editor): MaskObject | null {
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

function painting(editor: Editor, from: PointerInput, target: MaskObject | null, isEraser: boolean): StateNode {
  const isWiping = isEraser !== from.alt
  const { width, height } = editor.viewport.picture
  const mask = target ? tilesOf(target).copy() : new MaskTiles(width, height)
  const fresh: MaskObject = { kind: 'mask', id: makeId(), label: editor.label, width, height, counts: '' }
  let last = from.point
  const draw = (to: PicturePoint) => {
    mask.beginStroke()
    mask.stroke(last, to, radiusOf(editor), isWiping ? 0 : 1)
    last = to
    const preview = { kind: 'brush' as const, at: to, radius: radiusOf(editor), isErasing: isWiping }
    const now = sketchedWith(target ?? fresh, mask.copy())
    if (target) editor.sketch({ preview, drafts: new Map([[target.id, now]]) })
    else editor.sketch({ preview: { ...preview, object: now } })
  }
  const end = () => {
    const done = withTiles(target ?? fresh, mask)
    editor.sketch({ drafts: new Map(), preview: null })
    if (!target) {
      if (!mask.isEmpty) editor.add(done)
    } else if (mask.isEmpty) editor.commit([{ type: 'remove', id: target.id }])
    else editor.commit([{ type: 'update', id: target.id, patch: { counts: done.counts } }])
  }
  return {
    name: 'painting',
    onEnter: () => draw(from.point),
    onPointerMove: ({ point }) => draw(point),
    onPointerUp: (_, go) => {
      end()
      go(idleStroke(editor, isEraser))
    },
    onCancel: (go) => {
      go(idleStroke(editor, isEraser))
      return true
    },
    onExit: () => editor.sketch({ preview: null, drafts: new Map() }),
  }
}

/** Chooses, moves and reshapes what is there. */
import type { Bounds, PicturePoint } from '../../coordinates'
import type { Editor } from '../../editor'
import { distance } from '../../geometry'
import { handleAt, objectAt, objectsAt, objectsWithin, proposalAt } from '../../hit-test'
import { movedWithin } from '../../move'
import type { CanvasObject } from '../../object'
import type { Tool } from '../../shape'
import { shapeOf } from '../../shapes'
import type { PointerInput, StateNode } from '../../state-node'

/** Screen pixels that a press may tremble before it is a drag. */
const DRAG_PX = 3
const SNAP_PX = 5

function idle(editor: Editor): StateNode {
  return {
    name: 'idle',
    onPointerMove: ({ point }) => {
      editor.hovered = objectAt(editor, point)
    },
    onPointerDown: (input, go) => {
      const handle = handleAt(editor, input.point)
      if (handle) return go(onHandle(editor, input, handle.object, handle.handle))
      editor.activeHandle = null
      const under = objectAt(editor, input.point)
      go(under ? pressing(editor, input, under) : marquee(editor, input))
    },
    onCancel: () => {
      if (editor.selection.size === 0 && !editor.activeHandle) return false
      if (editor.activeHandle) editor.activeHandle = null
      else editor.selection.clear()
      editor.sketched.emit()
      return true
    },
  }
}

const isDrag = (from: PointerInput, to: PointerInput) => distance(from.screen, to.screen) > DRAG_PX

/** On an object; it is not known yet whether this will be a click or a drag. */
function pressing(editor: Editor, from: PointerInput, id: string): StateNode {
  const wasChosen = editor.selection.has(id)
  if (from.shift) editor.selection.toggle(id)
  else if (!wasChosen && !objectsAt(editor, from.point).some((each) => editor.selection.has(each))) editor.selection.set([id])
  return {
    name: 'pressing',
    onPointerMove: (input, go) => {
      if (editor.selection.size === 0 || editor.isReadOnly || !isDrag(from, input)) return
      const drag = dragging(editor, from.point)
      go(drag)
      drag.onPointerMove?.(input, go)
    },
    onPointerUp: (_, go) => {
      if (!from.shift) editor.selection.set([chosenByClick(editor, from.point, id)])
      go(idle(editor))
    },
  }
}

/** Clicking again on what is chosen goes on to what lies below it. */
function chosenByClick(editor: Editor, point: PicturePoint, topmost: string): string {
  const under = objectsAt(editor, point)
  const now = editor.selection.only
  if (now === null || under.length < 2 || now !== editor.lastClicked) return (editor.lastClicked = now ?? topmost)
  const next = under[(under.indexOf(now) + 1) % under.length] ?? topmost
  return (editor.lastClicked = next)
}

function dragging(editor: Editor, from: PicturePoint): StateNode {
  const before = new Map<string, CanvasObject>()
  for (const id of editor.selection.ids) {
    const object = editor.document.get(id)
    if (object && editor.appearance.isFree(id)) before.set(id, object)
  }
  return {
    name: 'dragging',
    onPointerMove: ({ point, shift }) => {
      let [dx, dy] = [point.x - from.x, point.y - from.y]
      if (shift && Math.abs(dx) > Math.abs(dy)) dy = 0
      else if (shift) dx = 0
      const moved = movedWithin([...before.values()], dx, dy, editor.viewport.pictureBounds, editor.viewport.length(SNAP_PX))
      editor.sketch({ drafts: new Map(moved.map((object) => [object.id, object])) })
    },
    onPointerUp: (_, go) => {
      editor.commitDrafts(before)
      go(idle(editor))
    },
    ...dropped(editor),
  }
}

function onHandle(editor: Editor, from: PointerInput, object: CanvasObject, { name, role }: { name: string; role: string }): StateNode {
  const shape = shapeOf(object)
  const isMiddle = role === 'middle' && shape.withVertex
  const start = isMiddle && shape.withVertex ? shape.withVertex(object, name) : { object, handle: name }
  const before = new Map([[object.id, object]])
  if (from.alt && role === 'vertex') {
    const less = shape.withoutVertex?.(object, name)
    if (less) editor.sketch({ drafts: new Map([[object.id, less]]) })
    editor.commitDrafts(before)
    return idle(editor)
  }
  editor.activeHandle = { id: object.id, name: start.handle }
  return {
    name: 'on_handle',
    onPointerMove: (input) => {
      if (editor.drafts.size === 0 && !isDrag(from, input)) return
      const to = role === 'rotate' ? input.point : editor.viewport.clamped(input.point, SNAP_PX)
      editor.sketch({ drafts: new Map([[object.id, shape.withHandleAt(start.object, start.handle, to, input)]]) })
    },
    onPointerUp: (_, go) => {
      if (isMiddle && editor.drafts.size === 0) editor.activeHandle = null
      editor.commitDrafts(before)
      go(idle(editor))
    },
    ...dropped(editor),
  }
}

/** A rectangle drawn over the empty ground chooses what lies within. */
function marquee(editor: Editor, from: PointerInput): StateNode {
  const kept = from.shift ? [...editor.selection.ids] : []
  let bounds: Bounds | null = null
  return {
    name: 'marquee',
    onPointerMove: (input) => {
      if (!bounds && !isDrag(from, input)) return
      const [one, other] = [from.point, input.point]
      bounds = {
        minX: Math.min(one.x, other.x),
        minY: Math.min(one.y, other.y),
        maxX: Math.max(one.x, other.x),
        maxY: Math.max(one.y, other.y),
      }
      editor.selection.set([...kept, ...objectsWithin(editor, bounds)])
      editor.sketch({ preview: { kind: 'marquee', bounds } })
    },
    onPointerUp: (_, go) => {
      const proposed = bounds || editor.isReadOnly ? undefined : proposalAt(editor, from.point)
      if (proposed) editor.add(proposed)
      else if (!bounds) editor.selection.set(kept)
      go(idle(editor))
    },
    ...dropped(editor),
    onExit: () => editor.sketch({ preview: null }),
  }
}

/** Escape, another tool or somebody's removal end a gesture without a trace. */
const dropped = (editor: Editor): Pick<StateNode, 'onCancel' | 'onExit'> => ({
  onExit: () => editor.sketch({ drafts: new Map() }),
  onCancel: (go) => {
    go(idle(editor))
    return true
  },
})

export default { name: 'select', order: 0, start: idle } satisfies Tool

/** What is done to the chosen objects at once. Each command is one step of the history. */
import { unitedBounds } from './coordinates'
import type { Operation } from './document'
import { patchBetween } from './document'
import type { Editor } from './editor'
import { broughtWithin, movedWithin } from './move'
import { type CanvasObject, makeId } from './object'
import { shapeOf } from './shapes'
import { withSeenToggled } from './shapes/keypoints/shape'

/** Screen pixels that a copy stands aside. */
const ASIDE_PX = 14

/** The chosen objects from the bottom to the top. */
export const chosen = (editor: Editor): CanvasObject[] =>
  [...editor.selection.ids]
    .sort((one, other) => editor.document.place(one) - editor.document.place(other))
    .flatMap((id) => editor.document.get(id) ?? [])

/** Those that are neither locked nor hidden. */
const free = (editor: Editor): CanvasObject[] => chosen(editor).filter(({ id }) => editor.appearance.isFree(id))

const update = (before: CanvasObject, after: CanvasObject): Operation => ({
  type: 'update',
  id: before.id,
  patch: patchBetween(before, after),
})

/** Removes the vertex whose handle is active, or the chosen objects. */
export function deleteChosen(editor: Editor): void {
  const handle = editor.activeHandle
  const object = handle ? editor.document.get(handle.id) : undefined
  if (handle && object) {
    const less = shapeOf(object).withoutVertex?.(object, handle.name)
    editor.activeHandle = null
    if (less) {
      editor.commit([update(object, less)])
      return
    }
  }
  editor.commit(free(editor).map(({ id }) => ({ type: 'remove', id })))
}

export function copyChosen(editor: Editor): void {
  if (editor.selection.size > 0) editor.clipboard.put(chosen(editor))
}

export function cutChosen(editor: Editor): void {
  copyChosen(editor)
  editor.commit(free(editor).map(({ id }) => ({ type: 'remove', id })))
}

/** On the picture that they come from copies stand aside; on another one they stand where they stood, as far as it is large enough. */
export function paste(editor: Editor): void {
  const { objects, count } = editor.clipboard.take()
  const isHere = objects.some(({ id }) => editor.document.get(id))
  addCopies(editor, objects, editor.viewport.length(ASIDE_PX) * (isHere ? count : count - 1))
}

export function duplicateChosen(editor: Editor): void {
  addCopies(editor, chosen(editor), editor.viewport.length(ASIDE_PX))
}

function addCopies(editor: Editor, objects: readonly CanvasObject[], aside: number): void {
  const { width, height } = editor.viewport.picture
  const fitting = objects.filter((object) => object.kind !== 'mask' || (object.width === width && object.height === height))
  const picture = editor.viewport.pictureBounds
  const within = fitting.map((object) => broughtWithin(object, picture))
  const copies = movedWithin(within, aside, aside, picture).map((object) => ({ ...object, id: makeId() }))
  editor.add(...copies)
}

/** Moves the active handle, or the chosen objects. */
export function nudge(editor: Editor, dx: number, dy: number): void {
  const handle = editor.activeHandle
  const object = handle ? editor.document.get(handle.id) : undefined
  if (handle && object) {
    const shape = shapeOf(object)
    const at = shape.handles(object, (px) => editor.viewport.length(px)).find(({ name }) => name === handle.name)
    if (!at) return
    const to = editor.viewport.clamped({ x: at.x + dx, y: at.y + dy })
    editor.commit([update(object, shape.withHandleAt(object, handle.name, to, { shift: false, alt: false }))])
    return
  }
  const before = free(editor)
  const after = movedWithin(before, dx, dy, editor.viewport.pictureBounds)
  editor.commit(before.map((each, index) => update(each, after[index] as CanvasObject)))
}

export function selectAll(editor: Editor): void {
  editor.selection.set(editor.document.order.filter((id) => editor.appearance.isFree(id)))
}

/** Goes through the objects in their order, one by one. */
export function selectNext(editor: Editor, step: 1 | -1): void {
  const ids = editor.document.order.filter((id) => !editor.appearance.isHidden(id))
  if (ids.length === 0) return
  const at = ids.findLastIndex((id) => editor.selection.has(id))
  const next = at < 0 ? (step > 0 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length
  editor.activeHandle = null
  editor.selection.set([ids[next] as string])
}

/** Goes through the handles of the one chosen object, so that the arrow keys move a vertex. */
export function nextHandle(editor: Editor, step: 1 | -1): void {
  const object = editor.selection.only ? editor.document.get(editor.selection.only) : undefined
  if (!object || !editor.appearance.isFree(object.id)) return
  const handles = shapeOf(object)
    .handles(object, (px) => editor.viewport.length(px))
    .filter(({ role }) => role !== 'middle')
  if (handles.length === 0) return
  const at = handles.findIndex(({ name }) => name === editor.activeHandle?.name)
  const next = handles[at < 0 ? 0 : (at + step + handles.length) % handles.length]
  if (next) editor.activeHandle = { id: object.id, name: next.name }
  editor.sketched.emit()
}

export type Move = 'front' | 'back' | 'up' | 'down'

/** Changes the order. Several objects keep their order among each other. */
export function reorderChosen(editor: Editor, move: Move): void {
  const { document } = editor
  const ids = free(editor).map(({ id }) => id)
  if (ids.length === 0) return
  const others = document.order.filter((id) => !ids.includes(id))
  let above: string | null
  if (move === 'front') above = others.at(-1) ?? null
  else if (move === 'back') above = null
  else if (move === 'up') {
    const top = document.place(ids.at(-1) as string)
    above = others.find((id) => document.place(id) > top) ?? others.at(-1) ?? null
  } else {
    const bottom = document.place(ids[0] as string)
    const below = others.findLastIndex((id) => document.place(id) < bottom)
    above = others[below - 1] ?? null
  }
  const operations = ids.map((id): Operation => {
    const operation: Operation = { type: 'reorder', id, above }
    above = id
    return operation
  })
  editor.commit(operations)
}

/** Puts one object right above another, or to the bottom: for lists that are sorted by hand. */
export function placeAbove(editor: Editor, id: string, above: string | null): void {
  editor.commit([{ type: 'reorder', id, above }])
}

/**
 * Gives the chosen objects a label, and new ones after them. Keypoints only take labels with as many points. With a brush in hand
 * it is what is painted next: what is painted already keeps its own.
 */
export function relabelChosen(editor: Editor, label: string): void {
  editor.chooseLabel(label)
  if (editor.tool.isHeld) {
    if (free(editor).some((object) => object.label !== label)) editor.selection.clear()
    return
  }
  const points = editor.labelNamed(label)?.skeleton?.points
  const fits = (object: CanvasObject) =>
    object.kind !== 'keypoints' || (points ?? ['point']).join('\n') === object.points.map(({ name }) => name).join('\n')
  editor.commit(
    free(editor)
      .filter(fits)
      .map(({ id }) => ({ type: 'update', id, patch: { label } })),
  )
}

/** Takes vertices away that change the outline by less than a screen pixel or so. */
export function simplifyChosen(editor: Editor): void {
  const tolerance = editor.viewport.length(1.5)
  editor.activeHandle = null
  editor.commit(
    free(editor).flatMap((object) => {
      const simpler = shapeOf(object).simplified?.(object, tolerance)
      return simpler ? [update(object, simpler)] : []
    }),
  )
}

/** Seen or hidden: of the active keypoint. */
export function toggleSeen(editor: Editor): void {
  const handle = editor.activeHandle
  const object = handle ? editor.document.get(handle.id) : undefined
  if (handle && object?.kind === 'keypoints') editor.commit([update(object, withSeenToggled(object, handle.name))])
}

export function toggleHidden(editor: Editor): void {
  const ids = [...editor.selection.ids]
  if (ids.length === 0) editor.appearance.showAll()
  else editor.appearance.hide(ids, !ids.every((id) => editor.appearance.isHidden(id)))
}

export function toggleLocked(editor: Editor): void {
  const ids = [...editor.selection.ids]
  editor.activeHandle = null
  editor.appearance.lock(ids, !ids.every((id) => editor.appearance.isLocked(id)))
}

/** Shows the chosen objects as large as fits, or the whole picture. */
export function zoomToChosen(editor: Editor): void {
  const objects = chosen(editor)
  if (objects.length === 0) editor.viewport.fit()
  else editor.viewport.fitTo(unitedBounds(objects.map((object) => shapeOf(object).bounds(object))))
}

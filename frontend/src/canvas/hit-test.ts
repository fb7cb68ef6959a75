/** What lies under a point, asked of the spatial index and then of the shapes. */
import { type Bounds, encloses, grown, type PicturePoint } from './coordinates'
import type { Editor } from './editor'
import type { CanvasObject } from './object'
import type { Handle } from './shape'
import { shapeOf } from './shapes'

/** Screen pixels within which an outline or a handle counts as hit. */
export const HIT_PX = 6
export const HANDLE_PX = 8

/** Objects under the point, the topmost first; those that are hidden or locked are passed over. */
export function objectsAt(editor: Editor, point: PicturePoint): string[] {
  const tolerance = editor.viewport.length(HIT_PX)
  const near = editor.index.search(grown({ minX: point.x, minY: point.y, maxX: point.x, maxY: point.y }, tolerance))
  const isHit = (object: CanvasObject) =>
    editor.appearance.isFree(object.id) && shapeOf(object).hit(object, point, tolerance, editor.labelNamed(object.label)) !== null
  return editor
    .fromBelow(near)
    .filter(isHit)
    .map(({ id }) => id)
    .reverse()
}

export function objectAt(editor: Editor, point: PicturePoint): string | null {
  return objectsAt(editor, point)[0] ?? null
}

/** The proposal under the point; of several the smallest, as it lies within the others. */
export function proposalAt(editor: Editor, point: PicturePoint): CanvasObject | undefined {
  const tolerance = editor.viewport.length(HIT_PX)
  const area = (object: CanvasObject) => {
    const { minX, minY, maxX, maxY } = shapeOf(object).bounds(object)
    return (maxX - minX) * (maxY - minY)
  }
  return editor.proposals
    .filter((object) => shapeOf(object).hit(object, point, tolerance, editor.labelNamed(object.label)) !== null)
    .sort((one, other) => area(one) - area(other))[0]
}

/** Objects that lie wholly within the rectangle. */
export function objectsWithin(editor: Editor, bounds: Bounds): string[] {
  return editor.index.search(bounds).filter((id) => {
    const own = editor.index.boundsOf(id)
    return own !== undefined && editor.appearance.isFree(id) && encloses(bounds, own)
  })
}

export const handlesOf = (editor: Editor, object: CanvasObject): Handle[] =>
  shapeOf(object).handles(object, (screenPx) => editor.viewport.length(screenPx))

/** The nearest handle of the one chosen object; true vertices win over middles. */
export function handleAt(editor: Editor, point: PicturePoint): { object: CanvasObject; handle: Handle } | null {
  const id = editor.selection.only
  const object = id ? editor.shown(id) : undefined
  if (!object || editor.isReadOnly || !editor.appearance.isFree(object.id)) return null
  const reach = editor.viewport.length(HANDLE_PX)
  const near = handlesOf(editor, object)
    .map((handle) => ({ handle, away: Math.hypot(handle.x - point.x, handle.y - point.y) + (handle.role === 'middle' ? reach / 2 : 0) }))
    .filter(({ away }) => away <= reach)
    .sort((one, other) => one.away - other.away)
  return near[0] ? { object, handle: near[0].handle } : null
}

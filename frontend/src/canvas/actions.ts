/** Everything that can be done by key or button, by the names of `lib/shortcuts/scopes/canvas.ts`. */
import {
  copyChosen,
  cutChosen,
  deleteChosen,
  duplicateChosen,
  nextHandle,
  paste,
  relabelChosen,
  reorderChosen,
  selectAll,
  selectNext,
  simplifyChosen,
  toggleHidden,
  toggleLocked,
  toggleSeen,
  zoomToChosen,
} from './commands'
import type { Editor } from './editor'
import { arrow, enter, escape, fineArrow, type PressedKeys } from './keyboard'
import { TOOLS } from './shapes'
import { polygonToMask } from './to-mask'
import { maskToPolygon } from './assist/to-polygon'

export type Action = (editor: Editor, pressed: PressedKeys) => void

export const ZOOM_STEP = 1.25
const BRUSH_STEP = 1.25
export const LARGEST_BRUSH = 400

const ARROWS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const

export function setBrush(editor: Editor, radius: number): void {
  editor.brushRadius = Math.min(Math.max(radius, 0.5), LARGEST_BRUSH)
  editor.toolChanged.emit()
  editor.sketched.emit()
}

const tools = TOOLS.map(({ name }): [string, Action] => [`tool_${name}`, (editor) => editor.chooseTool(name)])

const arrows = Object.entries(ARROWS).flatMap(([name, [x, y]]): [string, Action][] => [
  [`move_${name}`, (editor) => arrow(editor, x, y, false)],
  [`leap_${name}`, (editor) => arrow(editor, x, y, true)],
  [`fine_${name}`, (editor) => fineArrow(editor, x, y)],
])

const labels = Array.from({ length: 9 }, (_, index): [string, Action] => [
  `label_${index + 1}`,
  (editor) => {
    const label = editor.labels[index]
    if (label) relabelChosen(editor, label.name)
  },
])

const other: Record<string, Action> = {
  undo: (editor) => editor.undo(),
  redo: (editor) => editor.redo(),
  copy: copyChosen,
  cut: cutChosen,
  paste,
  duplicate: duplicateChosen,
  delete: (editor) => void (editor.machine.removeLast() || deleteChosen(editor)),
  select_all: selectAll,
  next_object: (editor) => selectNext(editor, 1),
  previous_object: (editor) => selectNext(editor, -1),
  next_handle: (editor) => nextHandle(editor, 1),
  previous_handle: (editor) => nextHandle(editor, -1),
  front: (editor) => reorderChosen(editor, 'front'),
  back: (editor) => reorderChosen(editor, 'back'),
  up: (editor) => reorderChosen(editor, 'up'),
  down: (editor) => reorderChosen(editor, 'down'),
  enter,
  escape,
  simplify: simplifyChosen,
  to_polygon: (editor) => void (editor.machine.switch('polygon') || maskToPolygon(editor, editor.selection.ids)),
  to_mask: (editor) => polygonToMask(editor, editor.selection.ids),
  seen: (editor) => void (editor.machine.switch('hidden') || toggleSeen(editor)),
  skip: (editor) => void editor.machine.switch('skip'),
  hide: toggleHidden,
  lock: toggleLocked,
  zoom_in: (editor) => editor.viewport.zoomBy(ZOOM_STEP),
  zoom_out: (editor) => editor.viewport.zoomBy(1 / ZOOM_STEP),
  fit: (editor) => editor.viewport.fit(),
  actual_size: (editor) => editor.viewport.actualSize(),
  zoom_to: zoomToChosen,
  names: ({ appearance }) => appearance.set({ hasNames: !appearance.hasNames }),
  crosshair: ({ appearance }) => appearance.set({ hasCrosshair: !appearance.hasCrosshair }),
  brush_larger: (editor) => setBrush(editor, editor.brushRadius * BRUSH_STEP),
  brush_smaller: (editor) => setBrush(editor, editor.brushRadius / BRUSH_STEP),
}

export const ACTIONS: Readonly<Record<string, Action>> = { ...Object.fromEntries([...tools, ...arrows, ...labels]), ...other }

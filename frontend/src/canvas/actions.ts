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
import { fillHolesOfChosen, joinChosen, splitChosen } from './mask-commands'
import { arrow, enter, escape, fineArrow, type PressedKeys } from './keyboard'
import { LARGEST_SUPERPIXEL, SMALLEST_SUPERPIXEL } from './paint-settings'
import { TOOLS } from './shapes'
import { polygonToMask } from './to-mask'
import { maskToPolygon } from './assist/to-polygon'

export type Action = (editor: Editor, pressed: PressedKeys) => void

export const ZOOM_STEP = 1.25
const BRUSH_STEP = 1.25
const SMALLEST_BRUSH = 0.5
export const LARGEST_BRUSH = 400
const TOLERANCE_STEP = 4

const ARROWS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const

export function setBrush(editor: Editor, radius: number): void {
  editor.brushRadius = Math.min(Math.max(radius, SMALLEST_BRUSH), LARGEST_BRUSH)
  editor.hasOwnBrush = true
  const { preview } = editor
  if (preview?.kind === 'brush') editor.preview = { ...preview, radius: editor.brushRadius }
  editor.toolChanged.emit()
  editor.sketched.emit()
}

/** A share of the way from the smallest to the largest brush, 0..1: each step of the slider is the same factor. */
export const brushShare = (radius: number) => Math.log(radius / SMALLEST_BRUSH) / Math.log(LARGEST_BRUSH / SMALLEST_BRUSH)
export const brushOfShare = (share: number) => SMALLEST_BRUSH * (LARGEST_BRUSH / SMALLEST_BRUSH) ** share

/** How far colours may differ; what is being clicked is found anew. */
export function setTolerance(editor: Editor, tolerance: number): void {
  editor.paint.set({ tolerance })
  editor.machine.switch('tolerance')
}

/** How far superpixels are apart, as a share of the picture's longer side. */
export function setSuperpixel(editor: Editor, superpixel: number): void {
  editor.paint.set({ superpixel })
  editor.superpixels?.prepare(editor.paint.superpixel)
}

export const superpixelShare = (size: number) => Math.log(size / SMALLEST_SUPERPIXEL) / Math.log(LARGEST_SUPERPIXEL / SMALLEST_SUPERPIXEL)
export const superpixelOfShare = (share: number) => SMALLEST_SUPERPIXEL * (LARGEST_SUPERPIXEL / SMALLEST_SUPERPIXEL) ** share

/** One size up or down of what the tool at hand paints with: the brush, or superpixels. */
function resize(editor: Editor, direction: 1 | -1): void {
  const factor = BRUSH_STEP ** direction
  if (editor.tool.needs === 'superpixels') setSuperpixel(editor, editor.paint.superpixel * factor)
  else setBrush(editor, editor.brushRadius * factor)
}

/** A notch of the wheel with Alt held: the size, or the tolerance of what takes colours without one. Returns whether it meant something. */
export function wheelTool(editor: Editor, direction: 1 | -1): boolean {
  const { isHeld, hasTolerance } = editor.tool
  if (isHeld) resize(editor, direction)
  else if (hasTolerance) setTolerance(editor, editor.paint.tolerance + direction * TOLERANCE_STEP)
  return Boolean(isHeld || hasTolerance)
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
  brush_larger: (editor) => resize(editor, 1),
  brush_smaller: (editor) => resize(editor, -1),
  smart: ({ paint }) => paint.set({ isSmart: !paint.isSmart }),
  tolerance_larger: (editor) => setTolerance(editor, editor.paint.tolerance + TOLERANCE_STEP),
  tolerance_smaller: (editor) => setTolerance(editor, editor.paint.tolerance - TOLERANCE_STEP),
  overlap: ({ paint }) => paint.nextRule(),
  fill_holes: fillHolesOfChosen,
  join: joinChosen,
  split: splitChosen,
}

export const ACTIONS: Readonly<Record<string, Action>> = { ...Object.fromEntries([...tools, ...arrows, ...labels]), ...other }

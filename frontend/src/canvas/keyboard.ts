/** Drawing without a mouse: the arrow keys move the cursor, Enter does what a click does there. */
import type { PicturePoint } from './coordinates'
import { nudge } from './commands'
import type { Editor } from './editor'
import type { PointerInput } from './state-node'

/** Screen pixels. */
const CURSOR_STEP_PX = 8
const PAN_STEP_PX = 60
/** How much further with Shift. */
const LEAP = 10

export interface PressedKeys {
  shift: boolean
  alt: boolean
}

export const inputAt = (editor: Editor, point: PicturePoint, pressed: PressedKeys): PointerInput => ({
  point,
  screen: editor.viewport.toScreen(point),
  ...pressed,
  ctrl: false,
  clicks: 1,
})

/** An arrow key: moves the cursor of a drawing tool, the chosen objects (by pixels of the picture), or the picture. */
export function arrow(editor: Editor, x: -1 | 0 | 1, y: -1 | 0 | 1, isLeap: boolean): void {
  if (editor.tool.makes) {
    const step = editor.viewport.length(isLeap ? CURSOR_STEP_PX * LEAP : CURSOR_STEP_PX)
    moveCursor(editor, x * step, y * step)
  } else if (editor.selection.size > 0) {
    nudge(editor, x * (isLeap ? LEAP : 1), y * (isLeap ? LEAP : 1))
  } else editor.viewport.panBy({ x: -x * PAN_STEP_PX, y: -y * PAN_STEP_PX })
}

/** One pixel of the picture, whatever the zoom: for placing exactly. */
export function fineArrow(editor: Editor, x: -1 | 0 | 1, y: -1 | 0 | 1): void {
  if (editor.tool.makes) moveCursor(editor, x, y)
  else nudge(editor, x * 0.1, y * 0.1)
}

const cursorOf = (editor: Editor): PicturePoint => {
  const { minX, minY, maxX, maxY } = editor.viewport.visible
  return editor.cursor ?? editor.viewport.clamped({ x: (minX + maxX) / 2, y: (minY + maxY) / 2 })
}

function moveCursor(editor: Editor, dx: number, dy: number): void {
  const from = cursorOf(editor)
  const to = editor.viewport.clamped({ x: from.x + dx, y: from.y + dy })
  editor.viewport.reveal(to)
  editor.pointerMove(inputAt(editor, to, { shift: false, alt: false }))
  editor.isCursorByKeys = true
}

/**
 * Enter. Where the cursor was moved by keys it is a click there; a second Enter at the same place finishes what is drawn. With the
 * mouse it finishes. Before there is a cursor it shows one.
 */
export function enter(editor: Editor, pressed: PressedKeys): void {
  if (!editor.tool.makes) return
  // Nobody has pointed anywhere yet, and what cannot be seen places nothing.
  if (!editor.cursor) return moveCursor(editor, 0, 0)
  const wasMoved = editor.isCursorByKeys
  if (!wasMoved && editor.machine.complete()) return
  const input = inputAt(editor, cursorOf(editor), pressed)
  editor.isCursorByKeys = false
  if (editor.tool.isHeld && editor.machine.state === 'painting') {
    editor.pointerUp(input)
    return
  }
  editor.pointerDown(input)
  if (!editor.tool.isHeld) editor.pointerUp(input)
}

/** Escape: what is being drawn, then the choice, then the tool is put down. */
export function escape(editor: Editor): void {
  if (editor.machine.cancel()) return
  if (editor.selection.size > 0) editor.selection.clear()
  else if (editor.tool.name !== 'select') editor.chooseTool('select')
}

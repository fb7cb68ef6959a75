/** Mouse, pen, fingers and wheel of an element, as an editor understands them. */
import { wheelTool } from '../actions'
import type { ScreenPoint } from '../coordinates'
import type { Editor } from '../editor'
import type { PointerInput } from '../state-node'

const DOUBLE_MS = 350
const DOUBLE_PX = 6
/** A wheel's line in pixels, and how much a pixel of it zooms. */
const LINE_PX = 16
const ZOOM_PER_PX = 0.0025

interface Gesture {
  /** Fingers on the glass, or the mouse that drags the picture, by pointer id. */
  panning: Map<number, ScreenPoint>
  /** The pointer that draws, and where it was last. */
  drawing: { id: number; at: ScreenPoint } | null
  last: { at: ScreenPoint; time: number; clicks: number }
}

/** Returns the way to stop listening. */
export function bindPointer(element: HTMLElement, editor: Editor): () => void {
  const gesture: Gesture = { panning: new Map(), drawing: null, last: { at: { x: 0, y: 0 }, time: 0, clicks: 0 } }
  const controller = new AbortController()
  const options = { signal: controller.signal }
  element.addEventListener('pointerdown', (event) => down(element, editor, gesture, event), options)
  element.addEventListener('pointermove', (event) => move(element, editor, gesture, event), options)
  element.addEventListener('pointerup', (event) => up(element, editor, gesture, event), options)
  element.addEventListener('pointercancel', (event) => up(element, editor, gesture, event), options)
  element.addEventListener('pointerleave', () => !gesture.drawing && editor.pointerLeave(), options)
  element.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  element.addEventListener('wheel', (event) => wheel(element, editor, event), { ...options, passive: false })
  return () => controller.abort()
}

function screenPoint(element: HTMLElement, event: MouseEvent): ScreenPoint {
  const { left, top } = element.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

function inputOf(editor: Editor, screen: ScreenPoint, event: PointerEvent, clicks: number): PointerInput {
  const { shiftKey: shift, altKey: alt } = event
  return { point: editor.viewport.toPicture(screen), screen, shift, alt, ctrl: event.ctrlKey || event.metaKey, clicks }
}

function down(element: HTMLElement, editor: Editor, gesture: Gesture, event: PointerEvent): void {
  element.focus({ preventScroll: true })
  element.setPointerCapture(event.pointerId)
  const screen = screenPoint(element, event)
  const isSecondFinger = event.pointerType === 'touch' && (gesture.drawing !== null || gesture.panning.size > 0)
  if (event.button === 1 || event.button === 2 || editor.isPanHeld || isSecondFinger) {
    event.preventDefault()
    if (gesture.drawing && isSecondFinger) {
      editor.machine.cancel()
      gesture.panning.set(gesture.drawing.id, gesture.drawing.at)
      gesture.drawing = null
    }
    gesture.panning.set(event.pointerId, screen)
    return
  }
  if (event.button !== 0) return
  const { last } = gesture
  const isAgain = event.timeStamp - last.time < DOUBLE_MS && Math.hypot(screen.x - last.at.x, screen.y - last.at.y) < DOUBLE_PX
  gesture.last = { at: screen, time: event.timeStamp, clicks: isAgain ? last.clicks + 1 : 1 }
  gesture.drawing = { id: event.pointerId, at: screen }
  editor.pointerDown(inputOf(editor, screen, event, gesture.last.clicks))
}

function move(element: HTMLElement, editor: Editor, gesture: Gesture, event: PointerEvent): void {
  const screen = screenPoint(element, event)
  if (gesture.panning.has(event.pointerId)) return pan(editor, gesture, event.pointerId, screen)
  if (gesture.panning.size > 0) return
  if (gesture.drawing) gesture.drawing.at = screen
  const isPainting = gesture.drawing && editor.tool.isHeld
  const events = isPainting ? event.getCoalescedEvents() : []
  for (const each of events.length > 0 ? events : [event]) editor.pointerMove(inputOf(editor, screenPoint(element, each), event, 1))
}

/** One finger (or the mouse) moves, two zoom about their middle. */
function pan(editor: Editor, { panning }: Gesture, id: number, to: ScreenPoint): void {
  const from = panning.get(id) as ScreenPoint
  panning.set(id, to)
  const other = [...panning].find(([each]) => each !== id)?.[1]
  const share = other ? 0.5 : 1
  editor.viewport.panBy({ x: (to.x - from.x) * share, y: (to.y - from.y) * share })
  if (!other) return
  const [before, after] = [Math.hypot(from.x - other.x, from.y - other.y), Math.hypot(to.x - other.x, to.y - other.y)]
  if (before > 0 && after > 0) editor.viewport.zoomBy(after / before, { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 })
}

function up(element: HTMLElement, editor: Editor, gesture: Gesture, event: PointerEvent): void {
  if (gesture.panning.delete(event.pointerId)) return
  if (gesture.drawing?.id !== event.pointerId || event.button > 0) return
  gesture.drawing = null
  editor.pointerUp(inputOf(editor, screenPoint(element, event), event, gesture.last.clicks))
}

/** The wheel zooms about the pointer (so does pinching a touch pad); sideways, or with Shift, it moves the picture; Alt sizes the brush. */
function wheel(element: HTMLElement, editor: Editor, event: WheelEvent): void {
  event.preventDefault()
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
  const isPinch = event.ctrlKey || event.metaKey
  if (!isPinch && event.altKey && wheelTool(editor, dy + dx < 0 ? 1 : -1)) return
  if (!isPinch && event.shiftKey && dx === 0) editor.viewport.panBy({ x: -dy, y: 0 })
  else if (!isPinch && Math.abs(dx) > Math.abs(dy)) editor.viewport.panBy({ x: -dx, y: -dy })
  else {
    const step = Math.min(Math.max(-dy * ZOOM_PER_PX, -0.5), 0.5)
    editor.viewport.zoomBy(Math.exp(step), screenPoint(element, event))
  }
}

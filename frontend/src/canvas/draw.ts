/** How points are placed, the same for all tools: by pressing and dragging, or by one click after another, so also by keys. */
import type { PicturePoint } from './coordinates'
import type { Editor } from './editor'
import { distance, tupleOf } from './geometry'
import type { Tuple } from './object'
import type { PointerInput, StateNode } from './state-node'

const DRAG_PX = 3
/** Screen pixels within which the picture's border attracts, and within which a click means a point that is there. */
export const SNAP_PX = 5
const CLOSE_PX = 9
/** Screen pixels between points that are drawn freely, with the button held. */
const FREEHAND_PX = 6

export const placed = (editor: Editor, point: PicturePoint): PicturePoint => editor.viewport.clamped(point, SNAP_PX)

interface SecondPoint {
  name: string
  from: PointerInput
  show(to: PicturePoint, input: PointerInput): void
  done(to: PicturePoint, input: PointerInput): StateNode
  idle(): StateNode
}

/** From one point to a second one: on release after a drag, or by the next click. */
export function secondPoint(editor: Editor, { name, from, show, done, idle }: SecondPoint): StateNode {
  let isPressed = true
  return {
    name,
    onPointerMove: (input) => show(placed(editor, input.point), input),
    onPointerDown: (input, go) => go(done(placed(editor, input.point), input)),
    onPointerUp: (input, go) => {
      const isDrag = isPressed && distance(from.screen, input.screen) > DRAG_PX
      isPressed = false
      if (isDrag) go(done(placed(editor, input.point), input))
    },
    onCancel: (go) => {
      go(idle())
      return true
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

interface PathDrawing {
  isClosed: boolean
  /** Fewer points make no object. */
  least: number
  idle(): StateNode
  finish(points: Tuple[], first: PointerInput): void
}

/** Point after point, or freely with the button held; ended by Enter, a double click, or (closed paths) a click on the first. */
export function drawPath(editor: Editor, first: PointerInput, { isClosed, least, idle, finish }: PathDrawing): StateNode {
  const points: PicturePoint[] = [placed(editor, first.point)]
  let isPressed = true
  const wouldClose = (at: PicturePoint) =>
    isClosed && points.length >= least && distance(at, points[0] as PicturePoint) <= editor.viewport.length(CLOSE_PX)
  const show = (at: PicturePoint) => {
    const canClose = wouldClose(at)
    editor.sketch({ preview: { kind: 'path', points: [...points, at], label: editor.label, canClose } })
  }
  const end = (go: (next: StateNode) => void): boolean => {
    const tuples = withoutRepeats(points.map(tupleOf), isClosed)
    if (tuples.length < least) return false
    finish(tuples, first)
    go(idle())
    return true
  }
  return {
    name: 'drawing',
    onEnter: () => show(points[0] as PicturePoint),
    onPointerDown: ({ point, clicks }, go) => {
      isPressed = true
      const at = placed(editor, point)
      const last = points.at(-1) as PicturePoint
      if (wouldClose(at) || (clicks > 1 && distance(at, last) <= editor.viewport.length(CLOSE_PX))) {
        if (end(go)) return
      }
      points.push(at)
      show(at)
    },
    onPointerMove: ({ point }) => {
      const at = placed(editor, point)
      const last = points.at(-1) as PicturePoint
      if (isPressed && distance(at, last) > editor.viewport.length(FREEHAND_PX)) points.push(at)
      show(at)
    },
    onPointerUp: () => {
      isPressed = false
    },
    onComplete: end,
    onRemoveLast: (go) => {
      points.pop()
      if (points.length === 0) go(idle())
      else show(editor.cursor ?? (points.at(-1) as PicturePoint))
      return true
    },
    onCancel: (go) => {
      go(idle())
      return true
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

function withoutRepeats(points: Tuple[], isClosed: boolean): Tuple[] {
  const out = points.filter(([x, y], index) => index === 0 || x !== points[index - 1]?.[0] || y !== points[index - 1]?.[1])
  const [first, last] = [out[0], out.at(-1)]
  if (isClosed && first && last && out.length > 1 && first[0] === last[0] && first[1] === last[1]) out.pop()
  return out
}

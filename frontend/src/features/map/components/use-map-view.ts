/** The canvas at work: camera, pointer, wheel, touch and keys; tells the page what was pointed at and what was selected. */
import { useEffect, useRef, useState } from 'react'

import { type Camera, fit, pan, resized, type Size, toMap, zoom } from '../model/camera'
import { paint, radius, type Scene } from '../model/paint'
import { type Corner, inLasso, inRectangle, nearest, neighbour, type Points } from '../model/points'
import { thumbnails } from '../model/thumbnails'

export type Tool = 'move' | 'lasso'

export interface ViewInput {
  items: readonly string[]
  points: Points
  classes: Uint16Array
  colors: readonly string[]
  isHidden: readonly boolean[]
  selected: ReadonlySet<number>
  active: number
  tool: Tool
  ink: string
  ground: string
}

export interface ViewOutput {
  onHover: (index: number, px: number, py: number) => void
  onActive: (index: number) => void
  onOpen: (index: number) => void
  /** `adds`: to what is selected, rather than in its place. */
  onSelect: (indices: readonly number[], adds: boolean) => void
}

const WHEEL = 0.0016
const REACH_PX = 10
const STEP_PX = 60
const CLICK_PX = 4

export interface MapView {
  zoomBy: (factor: number) => void
  fitAll: () => void
  selectInSight: () => void
}

export function useMapView(canvas: React.RefObject<HTMLCanvasElement | null>, input: ViewInput, output: ViewOutput): MapView {
  const latest = useRef({ input, output })
  const view = useRef<View | null>(null)
  const [made, setMade] = useState<MapView>({ zoomBy: () => {}, fitAll: () => {}, selectInSight: () => {} })
  useEffect(() => {
    latest.current = { input, output }
    view.current?.draw()
  })
  useEffect(() => {
    if (!canvas.current) return
    const started = startView(canvas.current, latest)
    view.current = started
    setMade({ zoomBy: started.zoomBy, fitAll: started.fitAll, selectInSight: started.selectInSight })
    return started.stop
  }, [canvas])
  return made
}

interface View extends MapView {
  draw: () => void
  stop: () => void
}

type Latest = React.RefObject<{ input: ViewInput; output: ViewOutput }>

function startView(canvas: HTMLCanvasElement, latest: Latest): View {
  const context = canvas.getContext('2d')
  let size: Size = { width: canvas.clientWidth, height: canvas.clientHeight }
  let camera: Camera = fit(size)
  let lasso: Corner[] = []
  let frame = 0
  const pictures = thumbnails(() => draw())
  const isShown = (index: number) => !latest.current.input.isHidden[latest.current.input.classes[index] ?? 0]

  const draw = () => {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      if (context) paint(context, scene())
    })
  }
  const scene = (): Scene => {
    const { items, ...rest } = latest.current.input
    return { ...rest, camera, size, lasso, ratio: window.devicePixelRatio || 1, thumbnail: (index) => pictures.get(items[index] ?? '') }
  }
  const move = (next: Camera) => {
    camera = next
    draw()
  }
  const at = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const under = (px: number, py: number) => {
    const { points } = latest.current.input
    const [x, y] = toMap(camera, px, py)
    const reach = Math.max(REACH_PX, radius(points.x.length, camera, size) + 3)
    return nearest(points, x, y, reach / camera.scale, isShown)
  }

  const held = new Map<number, [number, number]>()
  let travelled = 0
  let isDrawing = false
  const down = (event: PointerEvent) => {
    if (event.button > 1) return
    canvas.setPointerCapture(event.pointerId)
    held.set(event.pointerId, at(event))
    travelled = 0
    isDrawing = held.size === 1 && event.button === 0 && (latest.current.input.tool === 'lasso' || event.shiftKey)
    lasso = isDrawing ? [toMap(camera, ...at(event))] : []
    latest.current.output.onHover(-1, 0, 0)
  }
  const moved = (event: PointerEvent) => {
    const [px, py] = at(event)
    const before = held.get(event.pointerId)
    if (!before) {
      if (event.pointerType === 'mouse') latest.current.output.onHover(under(px, py), px, py)
      return
    }
    held.set(event.pointerId, [px, py])
    travelled += Math.abs(px - before[0]) + Math.abs(py - before[1])
    if (held.size === 2) return pinch(event.pointerId, before, [px, py])
    if (!isDrawing) return move(pan(camera, px - before[0], py - before[1]))
    lasso.push(toMap(camera, px, py))
    draw()
  }
  const pinch = (pointer: number, before: [number, number], now: [number, number]) => {
    const other = [...held].find(([id]) => id !== pointer)?.[1]
    if (!other) return
    const spread = (one: [number, number]) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]))
    move(zoom(camera, spread(now) / spread(before), other[0], other[1], size))
  }
  const up = (event: PointerEvent) => {
    if (!held.delete(event.pointerId)) return
    const { output, input } = latest.current
    const adds = event.shiftKey || event.ctrlKey || event.metaKey
    if (travelled < CLICK_PX) {
      const index = under(...at(event))
      output.onActive(index)
      if (index >= 0 && adds) output.onSelect([index], true)
      else if (index < 0) output.onSelect([], false)
    } else if (isDrawing) output.onSelect(inLasso(input.points, lasso, isShown), event.ctrlKey || event.metaKey)
    isDrawing = false
    lasso = []
    draw()
  }
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    move(zoom(camera, Math.exp(-event.deltaY * WHEEL * (event.ctrlKey ? 5 : 1)), ...at(event), size))
  }
  const leave = () => latest.current.output.onHover(-1, 0, 0)
  const open = (event: MouseEvent) => {
    const index = under(...at(event))
    if (index >= 0) latest.current.output.onOpen(index)
  }
  const middle = (): [number, number] => [size.width / 2, size.height / 2]
  const zoomBy = (factor: number) => move(zoom(camera, factor, ...middle(), size))
  const fitAll = () => move(fit(size))
  const selectInSight = () => {
    const [x0, y0] = toMap(camera, 0, 0)
    const [x1, y1] = toMap(camera, size.width, size.height)
    latest.current.output.onSelect(inRectangle(latest.current.input.points, x0, y0, x1, y1, isShown), false)
  }

  const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
  const key = (event: KeyboardEvent) => {
    const { input, output } = latest.current
    const arrow = ARROWS[event.key]
    if (arrow && event.altKey) move(pan(camera, -arrow[0] * STEP_PX, -arrow[1] * STEP_PX))
    else if (arrow) walk(arrow)
    else if (event.key === '+' || event.key === '=') zoomBy(1.4)
    else if (event.key === '-') zoomBy(1 / 1.4)
    else if (event.key === '0') fitAll()
    else if (event.key === 'a') selectInSight()
    else if (event.key === ' ' && input.active >= 0) output.onSelect([input.active], true)
    else if (event.key === 'Enter' && input.active >= 0) output.onOpen(input.active)
    else if (event.key === 'Escape') output.onSelect([], false)
    else return
    event.preventDefault()
  }
  const walk = ([dx, dy]: [number, number]) => {
    const { input, output } = latest.current
    const [x, y] = toMap(camera, ...middle())
    const next = input.active < 0 ? nearest(input.points, x, y, 2, isShown) : neighbour(input.points, input.active, dx, dy, isShown)
    if (next < 0) return
    output.onActive(next)
    const px = camera.left + (input.points.x[next] ?? 0) * camera.scale
    const py = camera.top + (input.points.y[next] ?? 0) * camera.scale
    const isIn = px > 40 && py > 40 && px < size.width - 40 && py < size.height - 40
    if (!isIn) move(pan(camera, size.width / 2 - px, size.height / 2 - py))
  }

  const observer = new ResizeObserver(() => {
    const now = { width: canvas.clientWidth, height: canvas.clientHeight }
    if (now.width === 0 || now.height === 0) return
    camera = size.width === 0 ? fit(now) : resized(camera, size, now)
    size = now
    const ratio = window.devicePixelRatio || 1
    canvas.width = Math.round(now.width * ratio)
    canvas.height = Math.round(now.height * ratio)
    draw()
  })
  observer.observe(canvas)
  const ends = new AbortController()
  const options = { signal: ends.signal }
  canvas.addEventListener('pointerdown', down, options)
  canvas.addEventListener('pointermove', moved, options)
  canvas.addEventListener('pointerup', up, options)
  canvas.addEventListener('pointercancel', up, options)
  canvas.addEventListener('pointerleave', leave, options)
  canvas.addEventListener('dblclick', open, options)
  canvas.addEventListener('keydown', key, options)
  canvas.addEventListener('wheel', wheel, { ...options, passive: false })
  const stop = () => {
    ends.abort()
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
  return { draw, stop, zoomBy, fitAll, selectInSight }
}

/** The canvas at work: camera, pointer, wheel, touch and keys. Tells what was pointed at and what was selected. No React. */
import { type Camera, fit, pan, resized, type Size, toMap, toPage, zoom } from './camera'
import { paint, radius, type Scene } from './paint'
import { type Corner, inLasso, inRectangle, nearest, neighbour } from './points'
import { thumbnails, type Thumbnails } from './thumbnails'

export type Tool = 'move' | 'lasso'

type Shown = 'points' | 'classes' | 'colors' | 'isHidden' | 'selected' | 'active' | 'ink' | 'ground' | 'hasThumbnails'

export interface ViewInput extends Pick<Scene, Shown> {
  readonly items: readonly string[]
  readonly tool: Tool
}

export interface ViewOutput {
  onHover: (index: number, px: number, py: number) => void
  onActive: (index: number) => void
  onOpen: (index: number) => void
  /** `adds`: to what is selected, rather than in its place. */
  onSelect: (indices: readonly number[], adds: boolean) => void
  /** Which action of the map a key press stands for; those that need no place on the map are heard by the page. */
  actionOf: (event: KeyboardEvent) => { id: string } | undefined
}

type Place = [number, number]

const WHEEL = 0.0016
const REACH_PX = 10
const STEP_PX = 60
const CLICK_PX = 4
const EDGE_PX = 40
const ARROWS: Record<string, Place> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }

export class View {
  private size: Size
  private camera: Camera
  private lasso: Corner[] = []
  private frame = 0
  private travelled = 0
  private isDrawing = false
  private readonly places = new Map<number, Place>()
  private readonly pictures: Thumbnails
  private readonly ends = new AbortController()
  private readonly observer: ResizeObserver

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private input: ViewInput,
    private output: ViewOutput,
  ) {
    this.size = { width: canvas.clientWidth, height: canvas.clientHeight }
    this.camera = fit(this.size)
    this.pictures = thumbnails(() => this.draw())
    this.observer = new ResizeObserver(() => this.resize())
    this.observer.observe(canvas)
    this.listen()
  }

  /** Takes what the page shows now. */
  update(input: ViewInput, output: ViewOutput): void {
    this.input = input
    this.output = output
    this.draw()
  }

  stop(): void {
    this.ends.abort()
    this.observer.disconnect()
    cancelAnimationFrame(this.frame)
  }

  zoomBy(factor: number): void {
    this.move(zoom(this.camera, factor, this.size.width / 2, this.size.height / 2, this.size))
  }

  fitAll(): void {
    this.move(fit(this.size))
  }

  private listen(): void {
    const options = { signal: this.ends.signal }
    this.canvas.addEventListener('pointerdown', (event) => this.down(event), options)
    this.canvas.addEventListener('pointermove', (event) => this.moved(event), options)
    this.canvas.addEventListener('pointerup', (event) => this.up(event), options)
    this.canvas.addEventListener('pointercancel', (event) => this.up(event), options)
    this.canvas.addEventListener('pointerleave', () => this.output.onHover(-1, 0, 0), options)
    this.canvas.addEventListener('dblclick', (event) => this.open(event), options)
    this.canvas.addEventListener('keydown', (event) => this.key(event), options)
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), { ...options, passive: false })
  }

  private readonly isShown = (index: number) => !this.input.isHidden[this.input.classes[index] ?? 0]

  private draw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      const context = this.canvas.getContext('2d')
      const { items, ...rest } = this.input
      const { camera, size, lasso } = this
      const ratio = window.devicePixelRatio || 1
      if (context) paint(context, { ...rest, camera, size, lasso, ratio, thumbnail: (index) => this.pictures.get(items[index] ?? '') })
    })
  }

  private move(camera: Camera): void {
    this.camera = camera
    this.draw()
  }

  private resize(): void {
    const now = { width: this.canvas.clientWidth, height: this.canvas.clientHeight }
    if (now.width === 0 || now.height === 0) return
    this.camera = this.size.width === 0 ? fit(now) : resized(this.camera, this.size, now)
    this.size = now
    const ratio = window.devicePixelRatio || 1
    this.canvas.width = Math.round(now.width * ratio)
    this.canvas.height = Math.round(now.height * ratio)
    this.draw()
  }

  private at(event: MouseEvent): Place {
    const box = this.canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }

  private under([px, py]: Place): number {
    const [x, y] = toMap(this.camera, px, py)
    const reach = Math.max(REACH_PX, radius(this.input.points.x.length, this.camera, this.size) + 3)
    return nearest(this.input.points, x, y, reach / this.camera.scale, this.isShown)
  }

  private down(event: PointerEvent): void {
    if (event.button > 1) return
    this.canvas.setPointerCapture(event.pointerId)
    const place = this.at(event)
    this.places.set(event.pointerId, place)
    this.travelled = 0
    this.isDrawing = this.places.size === 1 && event.button === 0 && (this.input.tool === 'lasso' || event.shiftKey)
    this.lasso = this.isDrawing ? [toMap(this.camera, ...place)] : []
    this.output.onHover(-1, 0, 0)
  }

  private moved(event: PointerEvent): void {
    const now = this.at(event)
    const before = this.places.get(event.pointerId)
    if (!before) {
      if (event.pointerType === 'mouse') this.output.onHover(this.under(now), ...now)
      return
    }
    this.places.set(event.pointerId, now)
    this.travelled += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1])
    if (this.places.size === 2) return this.pinch(event.pointerId, before, now)
    if (!this.isDrawing) return this.move(pan(this.camera, now[0] - before[0], now[1] - before[1]))
    this.lasso.push(toMap(this.camera, ...now))
    this.draw()
  }

  private pinch(pointer: number, before: Place, now: Place): void {
    const other = [...this.places].find(([id]) => id !== pointer)?.[1]
    if (!other) return
    const spread = (one: Place) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]))
    this.move(zoom(this.camera, spread(now) / spread(before), ...other, this.size))
  }

  private up(event: PointerEvent): void {
    if (!this.places.delete(event.pointerId)) return
    const addsClick = event.shiftKey || event.ctrlKey || event.metaKey
    if (this.travelled < CLICK_PX) this.click(this.under(this.at(event)), addsClick)
    else if (this.isDrawing) this.output.onSelect(inLasso(this.input.points, this.lasso, this.isShown), event.ctrlKey || event.metaKey)
    this.isDrawing = false
    this.lasso = []
    this.draw()
  }

  private click(index: number, adds: boolean): void {
    this.output.onActive(index)
    if (index < 0) this.output.onSelect([], false)
    else if (adds) this.output.onSelect([index], true)
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault()
    this.move(zoom(this.camera, Math.exp(-event.deltaY * WHEEL * (event.ctrlKey ? 5 : 1)), ...this.at(event), this.size))
  }

  private open(event: MouseEvent): void {
    const index = this.under(this.at(event))
    if (index >= 0) this.output.onOpen(index)
  }

  private key(event: KeyboardEvent): void {
    const action = this.output.actionOf(event)
    if (!action) return
    const { active } = this.input
    const [what, side = ''] = action.id.split('_')
    const arrow = ARROWS[side]
    if (what === 'pan' && arrow) this.move(pan(this.camera, -arrow[0] * STEP_PX, -arrow[1] * STEP_PX))
    else if (what === 'walk' && arrow) this.walk(arrow)
    else if (action.id === 'select' && active >= 0) this.once(event, () => this.output.onSelect([active], true))
    else if (action.id === 'similar' && active >= 0) this.once(event, () => this.output.onOpen(active))
    else return
    event.preventDefault()
  }

  /** A key that is held speaks once. */
  private once(event: KeyboardEvent, act: () => void): void {
    if (!event.repeat) act()
  }

  /** Selects all that is seen now. */
  selectInSight(): void {
    const [x0, y0] = toMap(this.camera, 0, 0)
    const [x1, y1] = toMap(this.camera, this.size.width, this.size.height)
    this.output.onSelect(inRectangle(this.input.points, x0, y0, x1, y1, this.isShown), false)
  }

  /** Goes to the next picture on that side, and looks there when it is out of sight. */
  private walk([dx, dy]: Place): void {
    const { points, active } = this.input
    const { width, height } = this.size
    const [x, y] = toMap(this.camera, width / 2, height / 2)
    const next = active < 0 ? nearest(points, x, y, 2, this.isShown) : neighbour(points, active, dx, dy, this.isShown)
    if (next < 0) return
    this.output.onActive(next)
    const [px, py] = toPage(this.camera, points.x[next] ?? 0, points.y[next] ?? 0)
    const isIn = px > EDGE_PX && py > EDGE_PX && px < width - EDGE_PX && py < height - EDGE_PX
    if (!isIn) this.move(pan(this.camera, width / 2 - px, height / 2 - py))
  }
}

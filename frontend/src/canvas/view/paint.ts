/** Paints objects, handles and what a tool shows. The pen's unit is the picture's pixel. */
import { outlineOf } from '../annotation-outline'
import type { Bounds } from '../coordinates'
import type { Editor } from '../editor'
import type { CanvasObject, MaskObject } from '../object'
import type { Handle, Painter, Pen, Preview } from '../shape'
import { shapeOf } from '../shapes'
import { hatchPattern, hatchPeriod } from './hatch'
import { drawMask } from './mask-bitmaps'

/** Screen pixels. */
const LINE_PX = 1.5
const CHOSEN_LINE_PX = 2
const HALO_PX = 4.5
/** Objects that are smaller on the screen are dots: their outlines would be indistinguishable. */
const DOT_PX = 3
/** Height of a name's tag, and its distance from the outline. */
const NAME_PX = 16
const HANDLE_MARGIN_PX = 6
/** Of the cross in the middle of a smart brush, whose colour counts. */
const SMART_ARM_PX = 4
/** What would be wiped, in screen pixels drawn and left out. */
const ERASING_DASH_PX = [4, 3]
export const NO_LABEL_COLOR = '#868e96'
export const ACCENT = '#2563eb'

export const colorOf = (editor: Editor, object: CanvasObject): string => editor.labelNamed(object.label)?.color ?? NO_LABEL_COLOR

interface Manner {
  isSelected?: boolean
  fillFraction?: number
  /** Fills areas evenly that would be hatched. */
  isEven?: boolean
}

export function paintObject(pen: Pen, editor: Editor, object: CanvasObject, within: Bounds, manner: Manner = {}): void {
  const { zoom } = editor.viewport.camera
  const shape = shapeOf(object)
  const color = colorOf(editor, object)
  const bounds = shape.bounds(object)
  if (object.kind !== 'keypoints' && Math.max(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY) * zoom < DOT_PX) {
    pen.fillStyle = color
    pen.fillRect(bounds.minX, bounds.minY, DOT_PX / zoom, DOT_PX / zoom)
    return
  }
  const isSelected = manner.isSelected ?? false
  const label = editor.labelNamed(object.label)
  const isHatched = Boolean(label?.isHatched) && !manner.isEven
  const painter: Painter = {
    pen,
    zoom,
    color,
    fillFraction: manner.fillFraction ?? editor.appearance.fillFraction,
    isSelected,
    label,
    hatch: isHatched ? hatchPattern(pen, color, zoom) : null,
    drawMask: (mask, of, opacity) => drawMask(pen, mask, of, isHatched ? 1 : opacity, within, isHatched ? hatchPeriod(zoom) : 0),
  }
  pen.globalAlpha = 1
  if (isSelected && object.kind !== 'mask') {
    pen.strokeStyle = '#ffffff'
    pen.lineWidth = HALO_PX / zoom
    shape.paint({ ...painter, fillFraction: 0 }, object)
  }
  pen.strokeStyle = color
  pen.lineWidth = (isSelected ? CHOSEN_LINE_PX : LINE_PX) / zoom
  shape.paint(painter, object)
}

/** Takes away what lies below an area, so that only the topmost label of a pixel is seen. */
export function paintHidden(pen: Pen, editor: Editor, object: CanvasObject, within: Bounds): void {
  if (object.kind !== 'mask' && object.kind !== 'polygon') return
  pen.globalCompositeOperation = 'destination-out'
  paintObject(pen, editor, object, within, { fillFraction: 1, isEven: true })
  pen.globalCompositeOperation = 'source-over'
}

/** What a model proposes, in the pen's dashes: of a mask its border too. */
export function paintProposal(pen: Pen, editor: Editor, proposal: CanvasObject, within: Bounds): void {
  paintObject(pen, editor, proposal, within, { fillFraction: 0, isSelected: true })
  if (proposal.kind === 'mask') paintBorder(pen, editor, proposal)
}

function paintBorder(pen: Pen, editor: Editor, mask: MaskObject): void {
  pen.beginPath()
  for (const [first, ...others] of outlineOf(mask)?.lines ?? []) {
    if (!first) continue
    pen.moveTo(...first)
    for (const point of others) pen.lineTo(...point)
    pen.closePath()
  }
  const { zoom } = editor.viewport.camera
  for (const [color, width_px] of [
    ['#ffffff', HALO_PX],
    [colorOf(editor, mask), CHOSEN_LINE_PX],
  ] as const) {
    pen.strokeStyle = color
    pen.lineWidth = width_px / zoom
    pen.stroke()
  }
}

export function paintHandles(pen: Pen, zoom: number, handles: readonly Handle[], active: string | null): void {
  for (const { name, x, y, role } of handles) {
    const radius = (role === 'middle' ? 3 : role === 'keypoint' ? 6 : 4.5) / zoom
    pen.beginPath()
    if (role === 'corner') pen.rect(x - radius, y - radius, 2 * radius, 2 * radius)
    else pen.arc(x, y, radius, 0, 2 * Math.PI)
    pen.fillStyle = name === active ? ACCENT : '#ffffff'
    pen.globalAlpha = role === 'middle' ? 0.75 : role === 'keypoint' && name !== active ? 0 : 1
    pen.fill()
    pen.globalAlpha = 1
    pen.strokeStyle = ACCENT
    pen.lineWidth = 1.5 / zoom
    pen.stroke()
  }
}

/** The name of the object's label on a tag above its upper left corner, clear of the handles there. */
export function paintName(pen: Pen, editor: Editor, object: CanvasObject): void {
  const { zoom } = editor.viewport.camera
  const { minX, minY } = shapeOf(object).bounds(object)
  const name = editor.labelNamed(object.label)?.title ?? object.label
  const text = object.score == null ? name : `${name} ${object.score.toFixed(2)}`
  pen.save()
  pen.font = `600 ${11 / zoom}px system-ui, "PingFang SC", "Microsoft YaHei", sans-serif`
  const width = pen.measureText(text).width + 10 / zoom
  const above = minY - (NAME_PX + HANDLE_MARGIN_PX) / zoom
  const isInside = above < editor.viewport.visible.minY
  const top = isInside ? Math.max(minY, editor.viewport.visible.minY) + HANDLE_MARGIN_PX / zoom : above
  const left = isInside ? minX + HANDLE_MARGIN_PX / zoom : minX
  pen.fillStyle = colorOf(editor, object)
  pen.fillRect(left, top, width, NAME_PX / zoom)
  pen.fillStyle = isLight(colorOf(editor, object)) ? '#000000' : '#ffffff'
  pen.textBaseline = 'middle'
  pen.fillText(text, left + 5 / zoom, top + (NAME_PX / 2 + 0.5) / zoom)
  pen.restore()
}

/** Whether black is easier to read on the colour than white. */
function isLight(color: string): boolean {
  const value = Number.parseInt(color.slice(1, 7), 16)
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 0xff) + 0.114 * (value & 0xff) > 150
}

export function paintPreview(pen: Pen, editor: Editor, preview: Preview, within: Bounds): void {
  const { zoom } = editor.viewport.camera
  switch (preview.kind) {
    case 'object':
      return paintObject(pen, editor, preview.object, within, { isSelected: true })
    case 'path':
      return paintPath(pen, zoom, editor.labelNamed(preview.label)?.color ?? NO_LABEL_COLOR, preview)
    case 'marquee': {
      const { minX, minY, maxX, maxY } = preview.bounds
      pen.fillStyle = pen.strokeStyle = ACCENT
      pen.lineWidth = 1 / zoom
      pen.globalAlpha = 0.12
      pen.fillRect(minX, minY, maxX - minX, maxY - minY)
      pen.globalAlpha = 1
      return pen.strokeRect(minX, minY, maxX - minX, maxY - minY)
    }
    case 'clicks':
      if (preview.object) paintObject(pen, editor, preview.object, within, { isSelected: true })
      return paintClicks(pen, zoom, preview)
    case 'superpixel': {
      const { lit, isErasing } = preview
      if (!isErasing) paintObject(pen, editor, lit, within, { isSelected: true })
      pen.setLineDash(isErasing ? ERASING_DASH_PX.map((px) => px / zoom) : [])
      paintBorder(pen, editor, lit)
      return pen.setLineDash([])
    }
    case 'brush': {
      if (preview.object) paintObject(pen, editor, preview.object, within, { isSelected: true })
      return paintBrush(pen, zoom, preview)
    }
  }
}

function paintPath(pen: Pen, zoom: number, color: string, { points, canClose }: Extract<Preview, { kind: 'path' }>): void {
  const line = () => {
    pen.beginPath()
    points.forEach(({ x, y }, index) => (index === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)))
    pen.stroke()
  }
  pen.strokeStyle = '#ffffff'
  pen.lineWidth = HALO_PX / zoom
  line()
  pen.strokeStyle = color
  pen.lineWidth = CHOSEN_LINE_PX / zoom
  line()
  points.slice(0, -1).forEach(({ x, y }, index) => {
    pen.beginPath()
    pen.arc(x, y, (index === 0 && canClose ? 7 : 3.5) / zoom, 0, 2 * Math.PI)
    pen.fillStyle = index === 0 && canClose ? color : '#ffffff'
    pen.fill()
    pen.stroke()
  })
}

/** Plus and minus distinguish the clicks without colour; the last one is hollow while its answer is pending. */
function paintClicks(pen: Pen, zoom: number, { clicks, isWaiting }: Extract<Preview, { kind: 'clicks' }>): void {
  clicks.forEach(({ point: { x, y }, isPositive }, index) => {
    const [radius, arm] = [7 / zoom, 3.5 / zoom]
    const isOpen = isWaiting && index === clicks.length - 1
    const color = isPositive ? '#2b8a3e' : '#c92a2a'
    pen.beginPath()
    pen.arc(x, y, radius, 0, 2 * Math.PI)
    pen.fillStyle = isOpen ? '#ffffff' : color
    pen.fill()
    pen.strokeStyle = isOpen ? color : '#ffffff'
    pen.lineWidth = 2 / zoom
    pen.stroke()
    pen.beginPath()
    pen.moveTo(x - arm, y)
    pen.lineTo(x + arm, y)
    if (isPositive) {
      pen.moveTo(x, y - arm)
      pen.lineTo(x, y + arm)
    }
    pen.stroke()
  })
}

function paintBrush(pen: Pen, zoom: number, { at, radius, isErasing, isSmart, from }: Extract<Preview, { kind: 'brush' }>): void {
  for (const [color, width] of [
    ['#000000', 2.5],
    ['#ffffff', 1],
  ] as const) {
    pen.strokeStyle = color
    pen.lineWidth = width / zoom
    pen.beginPath()
    pen.setLineDash(isErasing ? ERASING_DASH_PX.map((px) => px / zoom) : [])
    pen.arc(at.x, at.y, radius, 0, 2 * Math.PI)
    if (from) {
      pen.moveTo(from.x, from.y)
      pen.lineTo(at.x, at.y)
    }
    pen.stroke()
    if (!isSmart) continue
    const arm = SMART_ARM_PX / zoom
    pen.beginPath()
    pen.setLineDash([])
    pen.moveTo(at.x - arm, at.y)
    pen.lineTo(at.x + arm, at.y)
    pen.moveTo(at.x, at.y - arm)
    pen.lineTo(at.x, at.y + arm)
    pen.stroke()
  }
  pen.setLineDash([])
}

/** Lines through the cursor from border to border of what is in sight. */
export function paintCrosshair(pen: Pen, editor: Editor, { minX, minY, maxX, maxY }: Bounds): void {
  const { cursor } = editor
  if (!cursor) return
  const { zoom } = editor.viewport.camera
  for (const [color, width] of [
    ['rgba(0, 0, 0, 0.45)', 3],
    ['rgba(255, 255, 255, 0.9)', 1],
  ] as const) {
    pen.strokeStyle = color
    pen.lineWidth = width / zoom
    pen.beginPath()
    pen.moveTo(minX, cursor.y)
    pen.lineTo(maxX, cursor.y)
    pen.moveTo(cursor.x, minY)
    pen.lineTo(cursor.x, maxY)
    pen.stroke()
  }
}

/** The borders between superpixels, while their tool is at hand. */
export function paintSuperpixels(pen: Pen, editor: Editor, within: Bounds): void {
  const cells = editor.tool.needs === 'superpixels' ? editor.superpixels?.cells : null
  if (!cells) return
  const { zoom } = editor.viewport.camera
  pen.globalAlpha = 1
  pen.beginPath()
  cells.forEachBorder(within, (fromX, fromY, toX, toY) => {
    pen.moveTo(fromX, fromY)
    pen.lineTo(toX, toY)
  })
  for (const [color, width] of [
    ['rgba(0, 0, 0, 0.25)', 2],
    ['rgba(255, 255, 255, 0.6)', 1],
  ] as const) {
    pen.strokeStyle = color
    pen.lineWidth = width / zoom
    pen.stroke()
  }
}

/** From this zoom on the borders of pixels are drawn. */
export const GRID_ZOOM = 12

export function paintGrid(pen: Pen, editor: Editor, within: Bounds): void {
  const { zoom } = editor.viewport.camera
  if (zoom < GRID_ZOOM) return
  const { width, height } = editor.viewport.picture
  const [left, right] = [Math.max(0, Math.floor(within.minX)), Math.min(width, Math.ceil(within.maxX))]
  const [top, bottom] = [Math.max(0, Math.floor(within.minY)), Math.min(height, Math.ceil(within.maxY))]
  pen.beginPath()
  for (let x = left; x <= right; x += 1) {
    pen.moveTo(x, top)
    pen.lineTo(x, bottom)
  }
  for (let y = top; y <= bottom; y += 1) {
    pen.moveTo(left, y)
    pen.lineTo(right, y)
  }
  pen.lineWidth = 1 / zoom
  pen.strokeStyle = 'rgba(128, 128, 128, 0.4)'
  pen.stroke()
}

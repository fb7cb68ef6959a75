/** Hatching: diagonal lines, the same over masks and outlines, whatever the zoom. */
import type { Pen } from '../shape'
import { TILE } from '../shapes/mask/tiles'

/** From line to line along a row, in screen pixels. */
const PERIOD_PX = 10
/** Of the ground between the lines, 0..255. */
export const GROUND_ALPHA = 0x48

/** From line to line in pixels of the picture: a power of two, so that lines go on from tile to tile. */
export function hatchPeriod(zoom: number): number {
  const period = 2 ** Math.round(Math.log2(PERIOD_PX / zoom))
  return Math.min(Math.max(period, 4), TILE)
}

/** Whether a pixel of the picture lies on a line. */
export const isOnLine = (x: number, y: number, period: number) => (x + y) % period < period * 0.4

const made = new Map<string, HTMLCanvasElement>()

/** Lines in a colour, for a pen whose unit is the picture's pixel. */
export function hatchPattern(pen: Pen, color: string, zoom: number): CanvasPattern | null {
  const canvas = made.get(color) ?? linesOf(color)
  made.set(color, canvas)
  const pattern = pen.createPattern(canvas, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / zoom))
  return pattern
}

function linesOf(color: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = PERIOD_PX
  const context = canvas.getContext('2d')
  if (!context) return canvas
  context.fillStyle = color
  for (let x = 0; x < PERIOD_PX; x += 1) {
    for (let y = 0; y < PERIOD_PX; y += 1) if (isOnLine(x, y, PERIOD_PX)) context.fillRect(x, y, 1, 1)
  }
  return canvas
}

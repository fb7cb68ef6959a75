/** Masks as pictures of their tiles in a colour. A tile that was changed is another array, so nothing is ever out of date. */
import type { MaskObject } from '../object'
import type { Pen } from '../shape'
import { tilesOf } from '../shapes/mask/shape'
import { isFull, TILE } from '../shapes/mask/tiles'
import type { Bounds } from '../coordinates'
import { GROUND_ALPHA, isOnLine } from './hatch'

const made = new WeakMap<Uint8Array, { look: string; canvas: HTMLCanvasElement }>()

function bitmapOf(tile: Uint8Array, color: string, period: number): HTMLCanvasElement {
  const known = made.get(tile)
  const look = `${color}/${period}`
  if (known?.look === look) return known.canvas
  const canvas = known?.canvas ?? document.createElement('canvas')
  canvas.width = canvas.height = TILE
  const context = canvas.getContext('2d')
  if (!context) return canvas
  const image = context.createImageData(TILE, TILE)
  const pixels = new Uint32Array(image.data.buffer)
  const value = littleEndian(color)
  const ground = period > 0 ? ((value & 0xffffff) | (GROUND_ALPHA << 24)) >>> 0 : value
  for (let x = 0; x < TILE; x += 1) {
    for (let y = 0; y < TILE; y += 1) {
      if (tile[x * TILE + y]) pixels[y * TILE + x] = period > 0 && !isOnLine(x, y, period) ? ground : value
    }
  }
  context.putImageData(image, 0, 0)
  made.set(tile, { look, canvas })
  return canvas
}

/** `#rrggbb` as the bytes of an opaque pixel. */
function littleEndian(color: string): number {
  const value = Number.parseInt(color.slice(1, 7), 16)
  return ((0xff << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0
}

/**
 * Draws the tiles that are in sight, each on whole pixels of the screen, so that no seams show between them.
 * @param period of hatching in pixels of the picture, see `hatchPeriod`; 0 fills evenly.
 */
export function drawMask(pen: Pen, object: MaskObject, color: string, opacity: number, within: Bounds, period = 0): void {
  const { a: scale, e: left, f: top } = pen.getTransform()
  pen.save()
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.globalAlpha = opacity
  pen.imageSmoothingEnabled = scale < 1
  tilesOf(object).forEachTile(within, (x, y, tile) => {
    const [fromX, fromY] = [Math.round(x * scale + left), Math.round(y * scale + top)]
    const [toX, toY] = [Math.round((x + TILE) * scale + left), Math.round((y + TILE) * scale + top)]
    if (isFull(tile) && period === 0) {
      pen.fillStyle = color
      pen.fillRect(fromX, fromY, toX - fromX, toY - fromY)
    } else pen.drawImage(bitmapOf(tile, color, period), fromX, fromY, toX - fromX, toY - fromY)
  })
  pen.restore()
}

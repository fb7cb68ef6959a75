/**
 * Which part of a picture the network looks at. `engine/click_mask/predict.py` does the same, and its figures are measured with it:
 * a change here is a change there.
 */
import type { Bounds, Size } from '../coordinates'
import type { AssistClick } from './assist'

/** Side of the network's picture, and of the grid of clicks and logits. */
export const SIDE = 256
export const GRID = 128
/** Of a click's disc, in cells of the grid. */
export const CLICK_RADIUS = 3

const LARGEST_ASPECT = 4 / 3
/** An object that fills less of the window gets a closer look. */
const SMALL = 0.45
/** Side of the closer window, in sides of the object; and how much a window grows in which the object goes on. */
const CLOSER = 1.6
const WIDER = 1.6
const SMALLEST_PX = 32
export const NUM_LOOKS = 3

export const widthOf = ({ minX, maxX }: Bounds) => maxX - minX
export const heightOf = ({ minY, maxY }: Bounds) => maxY - minY

export const holds = ({ minX, minY, maxX, maxY }: Bounds, { point: { x, y } }: AssistClick) =>
  x >= minX && y >= minY && x < maxX && y < maxY

/** All that is seen, or a part around the clicks where it is much longer than wide. */
export function firstWindow(clicks: readonly AssistClick[], view: Bounds, picture: Size): Bounds {
  const seen = cut(view, picture)
  const [wide, high] = [Math.min(widthOf(seen), heightOf(seen) * LARGEST_ASPECT), Math.min(heightOf(seen), widthOf(seen) * LARGEST_ASPECT)]
  const mean = (of: (click: AssistClick) => number) => clicks.reduce((sum, click) => sum + of(click), 0) / clicks.length
  const window = within(
    mean(({ point }) => point.x),
    mean(({ point }) => point.y),
    wide,
    high,
    seen,
  )
  const holdsAll = (one: Bounds) => clicks.every((click) => holds(one, click))
  return [window, seen].find(holdsAll) ?? { minX: 0, minY: 0, maxX: picture.width, maxY: picture.height }
}

/** A window in which the object fills about two thirds; null when this one will do. */
export function betterWindow(window: Bounds, logits: Float32Array, clicks: readonly AssistClick[], picture: Size): Bounds | null {
  const cells = cellsOf(logits)
  if (!cells) return null
  const all = { minX: 0, minY: 0, maxX: picture.width, maxY: picture.height }
  const goesOn =
    (cells.minX === 0 && window.minX > 0) ||
    (cells.minY === 0 && window.minY > 0) ||
    (cells.maxX === GRID && window.maxX < picture.width) ||
    (cells.maxY === GRID && window.maxY < picture.height)
  const [width, height] = [widthOf(window), heightOf(window)]
  if (goesOn) {
    return within((window.minX + window.maxX) / 2, (window.minY + window.maxY) / 2, width * WIDER, height * WIDER, all)
  }
  if (Math.max(widthOf(cells), heightOf(cells)) >= SMALL * GRID) return null
  const xs = clicks.map(({ point }) => point.x).concat([cells.minX, cells.maxX].map((cell) => window.minX + (cell * width) / GRID))
  const ys = clicks.map(({ point }) => point.y).concat([cells.minY, cells.maxY].map((cell) => window.minY + (cell * height) / GRID))
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const side = Math.max(CLOSER * Math.max(right - left, bottom - top), SMALLEST_PX)
  return side > 0.8 * Math.max(width, height) ? null : within((left + right) / 2, (top + bottom) / 2, side, side, all)
}

/** The smallest rectangle of cells around all that belong to the object. */
export function cellsOf(logits: Float32Array): Bounds | null {
  let [minX, minY, maxX, maxY] = [GRID, GRID, 0, 0]
  for (let y = 0; y < GRID; y += 1) {
    for (let x = 0; x < GRID; x += 1) {
      if ((logits[y * GRID + x] as number) <= 0) continue
      minX = Math.min(minX, x)
      maxX = Math.max(maxX, x + 1)
      minY = Math.min(minY, y)
      maxY = y + 1
    }
  }
  return maxX === 0 ? null : { minX, minY, maxX, maxY }
}

/** A rectangle of that size about a point, moved and cut into another. */
function within(x: number, y: number, wide: number, high: number, outer: Bounds): Bounds {
  const [width, height] = [Math.min(wide, widthOf(outer)), Math.min(high, heightOf(outer))]
  const minX = Math.min(Math.max(x - width / 2, outer.minX), outer.maxX - width)
  const minY = Math.min(Math.max(y - height / 2, outer.minY), outer.maxY - height)
  return { minX, minY, maxX: minX + width, maxY: minY + height }
}

/** What of the view lies in the picture; all of the picture when that is next to nothing. */
function cut(view: Bounds, { width, height }: Size): Bounds {
  const seen = {
    minX: Math.max(view.minX, 0),
    minY: Math.max(view.minY, 0),
    maxX: Math.min(view.maxX, width),
    maxY: Math.min(view.maxY, height),
  }
  const isUseful = widthOf(seen) >= Math.min(SMALLEST_PX, width) && heightOf(seen) >= Math.min(SMALLEST_PX, height)
  return isUseful ? seen : { minX: 0, minY: 0, maxX: width, maxY: height }
}

/** Clicks onto the network's grid, and its logits back to the picture's pixels. */
import type { Bounds, Size } from '../coordinates'
import type { AssistClick } from './assist'
import { cellsOf, CLICK_RADIUS, GRID, heightOf, widthOf } from './window'

/** Where the first window did not reach. */
const SURELY_NOT = -20

/** Discs of the positive and of the negative clicks, one plane each. */
export function discs(clicks: readonly AssistClick[], window: Bounds): Float32Array {
  const maps = new Float32Array(2 * GRID * GRID)
  for (const { point, isPositive } of clicks) {
    const x = ((point.x - window.minX) * GRID) / widthOf(window) - 0.5
    const y = ((point.y - window.minY) * GRID) / heightOf(window) - 0.5
    const plane = isPositive ? 0 : GRID * GRID
    for (let row = Math.max(0, Math.ceil(y - CLICK_RADIUS)); row <= Math.min(GRID - 1, y + CLICK_RADIUS); row += 1) {
      for (let column = Math.max(0, Math.ceil(x - CLICK_RADIUS)); column <= Math.min(GRID - 1, x + CLICK_RADIUS); column += 1) {
        if ((column - x) ** 2 + (row - y) ** 2 <= CLICK_RADIUS ** 2) maps[plane + row * GRID + column] = 1
      }
    }
  }
  return maps
}

export const chances = (logits: Float32Array): Float32Array => logits.map((logit) => 1 / (1 + Math.exp(-logit)))

/** The logits on the grid of another window. */
export function resampled(logits: Float32Array, window: Bounds, to: Bounds): Float32Array {
  const out = new Float32Array(GRID * GRID)
  for (let row = 0; row < GRID; row += 1) {
    const y = ((to.minY + ((row + 0.5) * heightOf(to)) / GRID - window.minY) * GRID) / heightOf(window) - 0.5
    for (let column = 0; column < GRID; column += 1) {
      const x = ((to.minX + ((column + 0.5) * widthOf(to)) / GRID - window.minX) * GRID) / widthOf(window) - 0.5
      const isInside = x > -1 && y > -1 && x < GRID && y < GRID
      out[row * GRID + column] = isInside ? sampled(logits, x, y) : SURELY_NOT
    }
  }
  return out
}

/** The pixels whose middle belongs to the object, as runs of a column: x, from, to (exclusive), and so on. */
export function runsOf(logits: Float32Array, window: Bounds, picture: Size): Int32Array {
  const cells = cellsOf(logits)
  if (!cells) return new Int32Array(0)
  const [stepX, stepY] = [widthOf(window) / GRID, heightOf(window) / GRID]
  const pixel = (edge: number, low: number, high: number) =>
    Math.min(Math.max(Math.round(edge), Math.ceil(low - 0.5), 0), Math.ceil(high - 0.5))
  const column = (cell: number) => Math.min(pixel(window.minX + cell * stepX, window.minX, window.maxX), picture.width)
  const row = (cell: number) => Math.min(pixel(window.minY + cell * stepY, window.minY, window.maxY), picture.height)
  const [fromY, toY] = [row(cells.minY - 1), row(cells.maxY + 1)]
  const runs: number[] = []
  for (let x = column(cells.minX - 1); x < column(cells.maxX + 1); x += 1) {
    const gridX = (x + 0.5 - window.minX) / stepX - 0.5
    let start = -1
    for (let y = fromY; y <= toY; y += 1) {
      const isSet = y < toY && sampled(logits, gridX, (y + 0.5 - window.minY) / stepY - 0.5) > 0
      if (isSet && start < 0) start = y
      if (!isSet && start >= 0) {
        runs.push(x, start, y)
        start = -1
      }
    }
  }
  return Int32Array.from(runs)
}

/** Between the four cells around a place; at the border the outermost cell goes on. */
function sampled(logits: Float32Array, x: number, y: number): number {
  const [atX, atY] = [Math.min(Math.max(x, 0), GRID - 1), Math.min(Math.max(y, 0), GRID - 1)]
  const [left, top] = [Math.min(Math.floor(atX), GRID - 2), Math.min(Math.floor(atY), GRID - 2)]
  const [shareX, shareY] = [atX - left, atY - top]
  const at = top * GRID + left
  const above = (logits[at] as number) * (1 - shareX) + (logits[at + 1] as number) * shareX
  const below = (logits[at + GRID] as number) * (1 - shareX) + (logits[at + GRID + 1] as number) * shareX
  return above * (1 - shareY) + below * shareY
}

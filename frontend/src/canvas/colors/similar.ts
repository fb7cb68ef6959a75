/** The smart brush: of a disc the pixels that hang together with its middle and have a colour like it. */
import type { PicturePoint } from '../coordinates'
import { MaskTiles, TILE } from '../shapes/mask/tiles'
import { type ColorTiles, differenceAt } from './color-tiles'

/** The middle's colour is the mean of a square whose half side is this share of the radius, of at most so many pixels. */
const REFERENCE_SHARE = 0.15
const LARGEST_REFERENCE = 4
/** A pixel between that many of its eight neighbours belongs to them: colours are noisy. */
const MAJORITY = 5

/** Adds the pixels to the mask. `tolerance` is a difference of red, green or blue, 0..255. */
export function addSimilar(mask: MaskTiles, colors: ColorTiles, center: PicturePoint, radius: number, tolerance: number): void {
  const [middleX, middleY] = [Math.floor(center.x), Math.floor(center.y)]
  if (middleX < 0 || middleY < 0 || middleX >= colors.width || middleY >= colors.height) return
  const reach = Math.ceil(radius)
  const side = 2 * reach + 3 // with a border of pixels that are never in
  const [left, top] = [middleX - reach - 1, middleY - reach - 1]
  const state = discWithin(colors, center, radius, { left, top, side })
  const color = colors.around(middleX, middleY, Math.min(LARGEST_REFERENCE, Math.floor(radius * REFERENCE_SHARE)))
  const open = new Int32Array(side * side)
  let numOpen = 1
  open[0] = (reach + 1) * side + reach + 1
  state[open[0]] = IN
  const look = (at: number) => {
    if (state[at] !== UNSEEN) return
    const x = Math.floor(at / side)
    const [px, py] = [left + x, top + at - x * side]
    const tile = colors.tile(Math.floor(px / TILE) * colors.rows + Math.floor(py / TILE))
    const isAlike = differenceAt(tile, (px % TILE) * TILE + (py % TILE), color) <= tolerance
    state[at] = isAlike ? IN : UNLIKE
    if (isAlike) open[numOpen++] = at
  }
  while (numOpen > 0) {
    const at = open[--numOpen] as number
    look(at - side)
    look(at + side)
    look(at - 1)
    look(at + 1)
  }
  for (let x = 1; x < side - 1; x += 1) {
    for (let y = 1; y < side - 1; y += 1) {
      const from = y
      while (y < side - 1 && isTaken(state, x * side + y, side)) y += 1
      if (y > from) mask.setRun(left + x, top + from, top + y)
    }
  }
}

const [BEYOND, UNSEEN, UNLIKE, IN] = [0, 1, 2, 3]

/** A square around the disc, column by column: what lies on the disc and in the picture is unseen, the rest beyond. */
function discWithin(
  { width, height }: ColorTiles,
  center: PicturePoint,
  radius: number,
  { left, top, side }: { left: number; top: number; side: number },
): Uint8Array {
  const state = new Uint8Array(side * side).fill(BEYOND)
  for (let x = 1; x < side - 1; x += 1) {
    const half = radius * radius - (left + x + 0.5 - center.x) ** 2
    if (half < 0 || left + x < 0 || left + x >= width) continue
    const from = Math.max(Math.ceil(center.y - Math.sqrt(half) - 0.5), 0) - top
    const to = Math.min(Math.floor(center.y + Math.sqrt(half) - 0.5) + 1, height) - top
    if (to > from) state.fill(UNSEEN, x * side + from, x * side + to)
  }
  return state
}

/** A pixel on the disc that is alike, or lies among such. */
function isTaken(state: Uint8Array, at: number, side: number): boolean {
  if (state[at] === IN) return true
  if (state[at] === BEYOND) return false
  let count = 0
  for (let row = at - 1; row <= at + 1; row += 1) {
    if (state[row - side] === IN) count += 1
    if (state[row] === IN) count += 1
    if (state[row + side] === IN) count += 1
  }
  return count >= MAJORITY
}

/** How the wall is cut into cells: tiles beside one another, or one line after the other. No React in it. */
import type { Wall } from '../../../items/kind'
import { columnsFor } from './selection'

export interface WallLayout {
  columns: number
  /** Width of a cell. */
  cell_px: number
  height_px: number
  /** From the top of a row to that of the next. */
  row_px: number
}

/** Sizes of tiles that people choose from; each with the least width of a tile. */
export const TILE_MIN_PX = { small: 100, medium: 148, large: 236 }
export type TileSize = keyof typeof TILE_MIN_PX

const CAPTION_PX = 40
const GAP_PX = 8
/** Lines of text that are shown of each, with what is around them. */
export const TEXT_LINES = { small: 1, medium: 2, large: 4 } as const satisfies Record<TileSize, number>
const TEXT_LINE_PX = 21
const TEXT_FRAME_PX = 16
const TEXT_GAP_PX = 4

/** The same cells whatever is in them, so that nothing moves while items come in. */
export function layoutOf(form: Wall['form'], width_px: number, size: TileSize = 'medium'): WallLayout {
  if (form === 'lines') {
    const height_px = TEXT_LINES[size] * TEXT_LINE_PX + TEXT_FRAME_PX
    return { columns: 1, cell_px: width_px, height_px, row_px: height_px + TEXT_GAP_PX }
  }
  const columns = columnsFor(width_px, TILE_MIN_PX[size], GAP_PX)
  const cell_px = Math.floor((width_px + GAP_PX) / columns) - GAP_PX
  return { columns, cell_px, height_px: cell_px + CAPTION_PX, row_px: cell_px + CAPTION_PX + GAP_PX }
}

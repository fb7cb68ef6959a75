import type { CSSProperties } from 'react'

import type { Column } from '../../lib/table/columns'
import { columnsSeen, offsetsOf, scrollFor, widthOf } from '../../lib/table/grid-columns'
import { type Cursor, movedBy, type Pressed } from '../../lib/table/grid-cursor'
import { pageHeight } from '../../lib/table/scroll'
import type { ShownColumn } from './grid-head'
import { useCursor } from './use-cursor'
import { useFrameScroll } from './use-frame-scroll'

export const ROW_PX = 34
export const HEAD_PX = 36
const TARGET_PX = 170
const OVERSCAN_ROWS = 6

interface GridOptions {
  /** Besides the target's, which stands in front. */
  columns: readonly Column[]
  /** Rows, also those that are not loaded. */
  total: number
  row_px?: number
  /** Width of what stands in front. */
  target_px?: number
}

/** Which rows and columns of a table of any size are in sight, and the cell that the keys act on; in front, the box that scrolls. */
export function useGrid({ columns, total, row_px = ROW_PX, target_px = TARGET_PX }: GridOptions) {
  const offsets_px = offsetsOf(columns.map(widthOf))
  const list_px = total * row_px
  const { frame, scroll, left_px, view_px, width_px, follow, goTo, panTo } = useFrameScroll(list_px, HEAD_PX)
  const cells_px = Math.max(0, width_px - target_px)
  const [firstColumn, lastColumn] = columnsSeen(offsets_px, left_px, cells_px)
  const from = Math.max(0, Math.floor(scroll.list_px / row_px) - OVERSCAN_ROWS)
  const to = Math.min(total - 1, Math.ceil((scroll.list_px + view_px) / row_px) + OVERSCAN_ROWS)
  const { active, setActive, goFocus } = useCursor(frame, ({ place, column }) => {
    const top_px = place * row_px
    if (top_px < scroll.list_px) goTo(top_px)
    else if (top_px + row_px > scroll.list_px + view_px) goTo(top_px + row_px - view_px)
    if (column > 0) panTo(scrollFor(offsets_px, column - 1, left_px, cells_px))
  })
  const tabRow = active.place >= from && active.place <= to ? active.place : from
  const tabColumn = active.column > firstColumn && active.column <= lastColumn + 1 ? active.column : 0
  const shown: ShownColumn[] = columns.slice(firstColumn, lastColumn + 1).map((column, index) => ({
    column,
    place: firstColumn + index + 1,
    left_px: target_px + (offsets_px[firstColumn + index] ?? 0),
    width_px: widthOf(column),
  }))
  const total_px = target_px + (offsets_px.at(-1) ?? 0)
  const size: CSSProperties = { width: Math.max(total_px, width_px), height: HEAD_PX + pageHeight(list_px) }
  const leap = Math.max(1, Math.floor(view_px / row_px) - 1)
  const grid = {
    follow,
    active,
    setActive,
    goFocus,
    goTo,
    /** The first and the last row that exist. */
    from,
    to,
    shown,
    num_columns: columns.length,
    total,
    row_px,
    target_px,
    width_px,
    size,
    max_px: HEAD_PX + pageHeight(Math.max(list_px, row_px)) + 18,
    topOf: (place: number) => HEAD_PX + place * row_px - scroll.list_px + scroll.page_px,
    /** The column of a row's cell that Tab leads to; null where it is in another row. */
    tabStopOf: (place: number) => (place === tabRow ? tabColumn : null),
    /** The cell that a key leads to; null for a key that leads nowhere. */
    movedBy: (event: Pressed): Cursor | null => movedBy(event, active, { rows: total, columns: columns.length, leap }),
  }
  return [frame, grid] as const
}

export type Grid = ReturnType<typeof useGrid>[1]

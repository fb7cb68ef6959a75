import { type KeyboardEvent, type ReactNode, useEffect } from 'react'

import type { Column } from '../../lib/table/columns'
import { LoadMore } from '../load-more'
import { GridFrame } from './grid-frame'
import { type Grid, useGrid } from './use-grid'

interface ReadGridProps<Row> {
  label: string
  target: string | null
  /** Besides the target's. */
  columns: readonly Column[]
  rows: readonly Row[]
  /** Of the pages that the rows come in; the next is asked for before the end is in sight. */
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    isPending: boolean
    error: unknown
    fetchNextPage: () => unknown
  }
  row_px?: number
  target_px?: number
  line: (row: Row, grid: Grid, place: number, top_px: number) => ReactNode
}

/** So many rows stand for those that are still to come. */
const WAITING_ROWS = 6

/** A table that is only read: arrows go from cell to cell, and rows come as they are scrolled to. */
export function ReadGrid<Row>({ label, target, columns, rows, query, row_px, target_px, line }: ReadGridProps<Row>) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const total = rows.length + (hasNextPage && !isFetchNextPageError ? WAITING_ROWS : 0)
  const [frame, grid] = useGrid({ columns, total, ...(row_px && { row_px }), ...(target_px && { target_px }) })
  const isNearEnd = grid.to >= rows.length - 1
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const press = (event: KeyboardEvent) => {
    const next = event.altKey ? null : grid.movedBy(event)
    if (!next) return
    grid.goFocus(next)
    event.preventDefault()
  }
  return (
    <>
      <GridFrame
        frame={frame}
        grid={grid}
        label={label}
        target={target}
        isPending={query.isPending}
        onKeyDown={press}
        line={(place, top_px) => {
          const row = rows[place]
          return row === undefined ? null : line(row, grid, place, top_px)
        }}
      />
      {isFetchNextPageError && <LoadMore query={query} />}
    </>
  )
}

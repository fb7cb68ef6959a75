import { Skeleton } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item, Label } from '../../../lib/api/types'
import { besidesTarget, type Columns } from '../../../lib/table/columns'
import { columnsSeen, offsetsOf, scrollFor, widthOf } from '../model/grid-columns'
import { movedBy } from '../model/grid-cursor'
import { pageHeight } from '../model/scroll'
import { type ClickKeys, isChosen, type Selection } from '../model/selection'
import type { Wall, WallState } from '../model/wall'
import { RowGridHead } from './row-grid-head'
import { RowGridLine } from './row-grid-line'
import classes from './row-grid.module.css'
import { useCellEditing } from './use-cell-editing'
import { useCursor } from './use-cursor'
import { useFrameScroll } from './use-frame-scroll'
import { useOpenCounts } from './use-open-counts'

interface RowGridProps {
  dataset: string
  /** Whether the person may change cells of these rows. */
  canEdit: boolean
  wall: Wall
  state: WallState
  table: Columns
  labels: readonly Label[]
  selection: Selection
  onSelect: (place: number, id: string, keys: ClickKeys) => void
  onOpen: (item: Item) => void
  onDiscuss: (item: Item) => void
}

export const ROW_PX = 34
export const HEAD_PX = 36
const TARGET_PX = 170
const OVERSCAN_ROWS = 6

/**
 * A table of any number of rows and columns, of which only the visible ones exist. Arrows go from cell to cell, space selects a row,
 * Enter changes a cell; on the target, which is not changed here, it opens the row to be labelled.
 */
export function RowGrid({ dataset, canEdit, wall, state, table, labels, selection, onSelect, onOpen, onDiscuss }: RowGridProps) {
  const { t } = useTranslation('data')
  const columns = besidesTarget(table.columns)
  const offsets_px = offsetsOf(columns.map(widthOf))
  const list_px = state.total * ROW_PX
  const { frame, scroll, left_px, view_px, width_px, follow, goTo, panTo } = useFrameScroll(list_px, HEAD_PX)
  const cells_px = Math.max(0, width_px - TARGET_PX)
  const [firstColumn, lastColumn] = columnsSeen(offsets_px, left_px, cells_px)
  const from = Math.max(0, Math.floor(scroll.list_px / ROW_PX) - OVERSCAN_ROWS)
  const to = Math.min(state.total - 1, Math.ceil((scroll.list_px + view_px) / ROW_PX) + OVERSCAN_ROWS)
  useEffect(() => {
    if (state.total > 0) wall.show(from, to)
  }, [wall, from, to, state.total])
  const numComments = useOpenCounts(wall, from, to)
  const { active, setActive, goFocus } = useCursor(frame, ({ place, column }) => {
    const top_px = place * ROW_PX
    if (top_px < scroll.list_px) goTo(top_px)
    else if (top_px + ROW_PX > scroll.list_px + view_px) goTo(top_px + ROW_PX - view_px)
    if (column > 0) panTo(scrollFor(offsets_px, column - 1, left_px, cells_px))
  })
  const editing = useCellEditing({ dataset, wall, columns, canEdit, active, goFocus, onOpen })

  const press = (event: KeyboardEvent) => {
    if (event.altKey) return
    const leap = Math.max(1, Math.floor(view_px / ROW_PX) - 1)
    const next = movedBy(event, active, { rows: state.total, columns: columns.length, leap })
    const item = wall.at(active.place)
    if (next) {
      goFocus(next)
      const reached = wall.at(next.place)
      if (event.shiftKey && next.place !== active.place && reached) onSelect(next.place, reached.id, { shift: true, toggle: false })
    } else if (event.key === ' ' && item) onSelect(active.place, item.id, { shift: event.shiftKey, toggle: true })
    else if (event.key === 'Enter') editing.begin(active)
    else return
    event.preventDefault()
  }

  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const tabRow = active.place >= from && active.place <= to ? active.place : from
  const tabColumn = active.column > firstColumn && active.column <= lastColumn + 1 ? active.column : 0
  const shown = columns.slice(firstColumn, lastColumn + 1).map((column, index) => ({
    column,
    place: firstColumn + index + 1,
    left_px: TARGET_PX + (offsets_px[firstColumn + index] ?? 0),
    width_px: widthOf(column),
  }))
  const total_px = TARGET_PX + (offsets_px.at(-1) ?? 0)
  const size: CSSProperties = { width: Math.max(total_px, width_px), height: HEAD_PX + pageHeight(list_px) }
  return (
    <div className={classes.outer}>
      <div
        ref={frame}
        className={classes.frame}
        style={{ maxHeight: HEAD_PX + pageHeight(Math.max(list_px, ROW_PX)) + 18 }}
        role="grid"
        aria-multiselectable
        aria-label={t('gallery.title')}
        aria-rowcount={state.total + 1}
        aria-colcount={columns.length + 1}
        tabIndex={-1}
        onScroll={follow}
        onKeyDown={press}
      >
        <div style={size} className={classes.content} role="presentation">
          <RowGridHead target={table.target} columns={shown} target_px={TARGET_PX} />
          {state.isPending &&
            Array.from({ length: 12 }, (_, index) => (
              <Skeleton key={index} height={ROW_PX - 8} pos="absolute" top={HEAD_PX + index * ROW_PX + 4} left={8} right={8} w="auto" />
            ))}
          {places.map((place) => {
            const top_px = HEAD_PX + place * ROW_PX - scroll.list_px + scroll.page_px
            const item = wall.at(place)
            if (!item)
              return (
                <Skeleton
                  key={place}
                  data-index={place}
                  height={ROW_PX - 8}
                  pos="absolute"
                  top={top_px + 4}
                  left={8}
                  w={Math.max(200, width_px - 16)}
                />
              )
            return (
              <RowGridLine
                key={item.id}
                item={item}
                place={place}
                top_px={top_px}
                columns={shown}
                target_px={TARGET_PX}
                labels={labels}
                isSelected={isChosen(selection, item.id)}
                tabStop={place === tabRow ? tabColumn : null}
                numComments={numComments[item.id]}
                pending={editing.pending}
                canEdit={canEdit}
                editing={editing.columnOf(item.id)}
                editor={editing.editor}
                onSelect={(event) => {
                  onSelect(place, item.id, { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey })
                }}
                onFocus={(column) => setActive({ place, column })}
                onEdit={(column) => editing.begin({ place, column })}
                onOpen={() => onOpen(item)}
                onDiscuss={() => onDiscuss(item)}
                onHistory={() => editing.look(item, null)}
              />
            )
          })}
        </div>
      </div>
      {editing.dialogs}
    </div>
  )
}

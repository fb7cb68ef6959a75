import { Skeleton } from '@mantine/core'
import { type CSSProperties, type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item, Label } from '../../../lib/api/types'
import { besidesTarget, type Columns } from '../../../lib/table/columns'
import { columnsSeen, offsetsOf, widthOf } from '../model/grid-columns'
import { pageHeight } from '../model/scroll'
import { type ClickKeys, isChosen, type Selection } from '../model/selection'
import type { Wall, WallState } from '../model/wall'
import { RowGridHead } from './row-grid-head'
import { RowGridLine } from './row-grid-line'
import classes from './row-grid.module.css'
import { useFrameScroll } from './use-frame-scroll'
import { useOpenCounts } from './use-open-counts'

interface RowGridProps {
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
const PAN_PX = 160

/** A table of any number of rows and columns, of which only the visible ones exist. Arrows move, space selects, Enter opens. */
export function RowGrid({ wall, state, table, labels, selection, onSelect, onOpen, onDiscuss }: RowGridProps) {
  const { t } = useTranslation('data')
  const [active, setActive] = useState(0)
  const columns = besidesTarget(table.columns)
  const offsets_px = offsetsOf(columns.map(widthOf))
  const list_px = state.total * ROW_PX
  const { frame, scroll, left_px, view_px, width_px, follow, goTo, panBy } = useFrameScroll(list_px, HEAD_PX)
  const [firstColumn, lastColumn] = columnsSeen(offsets_px, left_px, Math.max(0, width_px - TARGET_PX))
  const from = Math.max(0, Math.floor(scroll.list_px / ROW_PX) - OVERSCAN_ROWS)
  const to = Math.min(state.total - 1, Math.ceil((scroll.list_px + view_px) / ROW_PX) + OVERSCAN_ROWS)
  useEffect(() => {
    if (state.total > 0) wall.show(from, to)
  }, [wall, from, to, state.total])
  const numComments = useOpenCounts(wall, from, to)

  const focus = (place: number) => {
    setActive(place)
    const top_px = place * ROW_PX
    if (top_px < scroll.list_px) goTo(top_px)
    else if (top_px + ROW_PX > scroll.list_px + view_px) goTo(top_px + ROW_PX - view_px)
    requestAnimationFrame(() =>
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${place}"]`)?.focus({ preventScroll: true })),
    )
  }
  const press = (event: KeyboardEvent) => {
    const leap = Math.max(1, Math.floor(view_px / ROW_PX) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: leap, PageUp: -leap, Home: -state.total, End: state.total }
    const step = steps[event.key]
    const item = wall.at(active)
    if (step !== undefined) {
      const next = Math.min(state.total - 1, Math.max(0, active + step))
      focus(next)
      const reached = wall.at(next)
      if (event.shiftKey && reached) onSelect(next, reached.id, { shift: true, toggle: false })
    } else if (event.key === 'ArrowRight') panBy(PAN_PX)
    else if (event.key === 'ArrowLeft') panBy(-PAN_PX)
    else if (event.key === ' ' && item) onSelect(active, item.id, { shift: event.shiftKey, toggle: true })
    else if (event.key === 'Enter' && item) onOpen(item)
    else return
    event.preventDefault()
  }

  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const tabStop = active >= from && active <= to ? active : from
  const shown = columns.slice(firstColumn, lastColumn + 1).map((column, index) => ({
    column,
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
                isTabStop={place === tabStop}
                numComments={numComments[item.id]}
                onSelect={(event) => {
                  setActive(place)
                  onSelect(place, item.id, { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey })
                }}
                onOpen={() => onOpen(item)}
                onDiscuss={() => onDiscuss(item)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

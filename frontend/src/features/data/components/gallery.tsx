import { Skeleton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent as Press, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { useItemKind } from '../../../items'
import type { Item, Label } from '../../../lib/api/types'
import { useLooseKeys } from '../../../lib/shortcuts/use-loose-keys'
import { pageFor, pageHeight, type Scroll, scrolled, TOP } from '../../../lib/table/scroll'
import { type ClickKeys, isChosen, type Selection } from '../model/selection'
import { layoutOf, TEXT_LINES, type TileSize, type WallLayout } from '../model/wall-layout'
import type { Wall, WallState } from '../model/wall'
import classes from './gallery.module.css'
import { type ClickEvent, GalleryCell } from './gallery-cell'
import { useOpenCounts } from './use-open-counts'
import { usePlace } from './use-place'

interface GalleryProps {
  wall: Wall
  state: WallState
  labels: readonly Label[]
  /** What is searched for; it is brought to the front of long texts. */
  search: string
  selection: Selection
  size: TileSize
  /** Where the keys acted when the page was left. */
  at: number
  onAt: (place: number) => void
  onSelect: (place: number, id: string, keys: ClickKeys) => void
  onOpen: (item: Item) => void
  onDiscuss: (item: Item) => void
}

const OVERSCAN_ROWS = 3

/** A wall of any number of pictures, or a list of texts, of which only the visible rows exist. Arrows move, space selects, Enter opens. */
export function Gallery({ wall, state, labels, search, selection, size, at, onAt, onSelect, onOpen, onDiscuss }: GalleryProps) {
  const { t } = useTranslation('data')
  const nothing = useNothingWord()
  const { ref, width } = useElementSize()
  const frame = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const kind = useItemKind()
  const layout = layoutOf(kind.wall.form, width || 960, size)
  const { columns, cell_px, height_px, row_px } = layout
  const numRows = Math.ceil(state.total / columns)
  const list_px = numRows * row_px
  const { scroll, view_px, goTo } = useListScroll(frame, list_px)
  useSteadyTop(layout, scroll.list_px, goTo)

  const firstRow = Math.max(0, Math.floor(scroll.list_px / row_px) - OVERSCAN_ROWS)
  const lastRow = Math.min(numRows - 1, Math.ceil((scroll.list_px + view_px) / row_px) + OVERSCAN_ROWS)
  const [from, to] = [firstRow * columns, Math.min(state.total, (lastRow + 1) * columns) - 1]
  useEffect(() => {
    if (state.total > 0) wall.show(from, to)
  }, [wall, from, to, state.total])

  const numComments = useOpenCounts(wall, from, to)

  const focusCell = useCellFocus(frame)
  const focus = (place: number) => {
    setActive(place)
    const top_px = Math.floor(place / columns) * row_px
    if (top_px < scroll.list_px) goTo(top_px)
    else if (top_px + row_px > scroll.list_px + view_px) goTo(top_px + row_px - view_px)
    focusCell(place)
  }
  const select = (place: number, event: ClickEvent) => {
    const item = wall.at(place)
    setActive(place)
    if (item) onSelect(place, item.id, { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey })
  }
  // Before its width is known the wall has another number of columns, and its cells would move to other rows.
  usePlace({ at, total: width > 0 ? state.total : 0, place: active, go: focus, onAt })
  const walk = (event: Press | KeyboardEvent) => {
    const leap = Math.max(1, Math.floor(view_px / row_px)) * columns
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: leap,
      PageUp: -leap,
      Home: -state.total,
      End: state.total,
    }
    const step = steps[event.key]
    if (step === undefined || state.total === 0) return false
    const next = Math.min(state.total - 1, Math.max(0, active + step))
    focus(next)
    const reached = wall.at(next)
    if (event.shiftKey && reached) onSelect(next, reached.id, { shift: true, toggle: false })
    event.preventDefault()
    return true
  }
  const press = (event: Press) => {
    const item = wall.at(active)
    if (walk(event)) return
    if (event.key === ' ' && item) onSelect(active, item.id, { shift: event.shiftKey, toggle: true })
    else if (event.key === 'Enter' && item) onOpen(item)
    else return
    event.preventDefault()
  }
  useLooseKeys((event) => !event.ctrlKey && !event.metaKey && !event.altKey && walk(event))

  const rows = Array.from({ length: Math.max(0, lastRow - firstRow + 1) }, (_, index) => firstRow + index)
  const tabStop =
    active >= from && active <= to ? active : from + OVERSCAN_ROWS * columns <= to && firstRow > 0 ? from + OVERSCAN_ROWS * columns : from
  return (
    <div ref={frame} className={classes.frame}>
      <div ref={ref}>
        {state.isPending && <Placeholders {...layout} />}
        <div
          role="listbox"
          aria-multiselectable
          aria-label={t('gallery.title')}
          tabIndex={-1}
          onKeyDown={press}
          style={{ height: pageHeight(list_px), position: 'relative' }}
        >
          {rows.map((row) => (
            <div
              key={row}
              className={classes.row}
              style={{
                transform: `translateY(${row * row_px - scroll.list_px + scroll.page_px}px)`,
                gridTemplateColumns: `repeat(${columns}, ${cell_px}px)`,
              }}
            >
              {Array.from({ length: Math.min(columns, state.total - row * columns) }, (_, column) => {
                const place = row * columns + column
                const item = wall.at(place)
                if (!item) return <Skeleton key={place} height={height_px} data-index={place} />
                return (
                  <GalleryCell
                    key={item.id}
                    item={item}
                    labels={labels}
                    search={search}
                    height_px={height_px}
                    lines={TEXT_LINES[size]}
                    Line={kind.wall.form === 'lines' ? kind.wall.Line : undefined}
                    nothing={nothing}
                    place={place}
                    total={state.total}
                    isActive={place === tabStop}
                    isSelected={isChosen(selection, item.id)}
                    onSelect={select}
                    onOpen={onOpen}
                    numComments={numComments[item.id]}
                    onDiscuss={onDiscuss}
                  />
                )
              })}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Keeps the items at the top where they are when other tiles, or another width, put them into other rows. */
function useSteadyTop({ columns, row_px }: WallLayout, top_px: number, goTo: (top_px: number) => void) {
  const before = useRef({ columns, row_px })
  const move = useEffectEvent(() => {
    const was = before.current
    before.current = { columns, row_px }
    if (top_px > 0) goTo(Math.floor((Math.round(top_px / was.row_px) * was.columns) / columns) * row_px)
  })
  useLayoutEffect(() => move(), [columns, row_px])
}

/** Moves the focus to the cell of a place as soon as it is there: it may have yet to be scrolled to, or loaded. */
function useCellFocus(frame: React.RefObject<HTMLDivElement | null>) {
  const pending = useRef<number | null>(null)
  const tryToFocus = () => {
    if (pending.current === null) return
    const isTyping = document.activeElement?.matches('input, textarea, [contenteditable]')
    const cell = frame.current?.querySelector<HTMLElement>(`[role="option"][data-index="${pending.current}"]`)
    if (cell && !isTyping) cell.focus({ preventScroll: true })
    if (cell || isTyping) pending.current = null
  }
  useEffect(tryToFocus)
  return (place: number) => {
    pending.current = place
    requestAnimationFrame(tryToFocus)
  }
}

/** Follows the window's scrolling over a list that may be taller than a page can be. */
function useListScroll(frame: React.RefObject<HTMLDivElement | null>, list_px: number) {
  const [view_px, setView] = useState(window.innerHeight)
  const [scroll, setScroll] = useState<Scroll>(TOP)
  const latest = useRef({ scroll, extent: { list_px, view_px } })
  useLayoutEffect(() => {
    latest.current = { scroll, extent: { list_px, view_px } }
  })
  useEffect(() => {
    const top = () => (frame.current ? frame.current.getBoundingClientRect().top + window.scrollY : 0)
    const follow = () => {
      setView(window.innerHeight)
      const { scroll: before, extent } = latest.current
      const after = scrolled(before, Math.max(0, window.scrollY - top()), extent)
      latest.current = { scroll: after, extent }
      setScroll(after)
    }
    follow()
    window.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow)
      window.removeEventListener('resize', follow)
    }
  }, [frame, list_px])
  const goTo = (target_px: number) => {
    const { scroll: before, extent } = latest.current
    const after = pageFor(before, target_px, extent)
    const top = frame.current ? frame.current.getBoundingClientRect().top + window.scrollY : 0
    // The page is set first to what the list will be, so that the scroll event that follows moves by nothing.
    latest.current = { scroll: after, extent }
    setScroll(after)
    window.scrollTo({ top: after.page_px + top })
  }
  return { scroll, view_px, goTo }
}

function Placeholders({ columns, cell_px, height_px }: WallLayout) {
  return (
    <div className={classes.placeholders} style={{ gridTemplateColumns: `repeat(${columns}, ${cell_px}px)` }} aria-hidden>
      {Array.from({ length: columns * 3 }, (_, index) => (
        <Skeleton key={index} height={height_px} />
      ))}
    </div>
  )
}

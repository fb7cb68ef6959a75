import { Skeleton, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item, Label } from '../../../lib/api/types'
import { PictureThumb } from '../../../ui/picture-thumb'
import { clicked, columnsFor, type Selection } from '../model/selection'
import classes from './gallery.module.css'

interface GalleryProps {
  items: readonly Item[]
  labels: readonly Label[]
  isPending: boolean
  /** The pictures shown belong to the filter before this one. */
  isStale: boolean
  selection: Selection
  onSelect: (selection: Selection) => void
  onOpen: (item: Item) => void
  onEnd: () => void
}

const CELL_MIN_PX = 148
const GAP_PX = 8
const CAPTION_PX = 40

/** A wall of pictures of which only the visible rows exist. Arrows move, space selects, Enter opens. */
export function Gallery({ items, labels, isPending, isStale, selection, onSelect, onOpen, onEnd }: GalleryProps) {
  const { t } = useTranslation('data')
  const { ref, width } = useElementSize()
  const frame = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const [active, setActive] = useState(0)
  const columns = columnsFor(width || 960, CELL_MIN_PX, GAP_PX)
  const cell_px = Math.floor(((width || 960) + GAP_PX) / columns) - GAP_PX
  const rows = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => cell_px + CAPTION_PX + GAP_PX,
    overscan: 4,
    scrollMargin: offset,
  })
  const { measure } = rows
  useEffect(() => {
    measure()
    setOffset(frame.current?.offsetTop ?? 0)
  }, [cell_px, measure])

  const visible = rows.getVirtualItems()
  const lastRow = visible.at(-1)?.index ?? 0
  useEffect(() => {
    if (items.length && (lastRow + 3) * columns >= items.length) onEnd()
  }, [lastRow, columns, items.length, onEnd])

  const order = items.map((item) => item.id)
  const select = (id: string, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }) => {
    setActive(order.indexOf(id))
    onSelect(clicked(selection, order, id, { shift: event.shiftKey, toggle: event.ctrlKey || event.metaKey }))
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    const item = items[active]
    if (step !== undefined) {
      const next = Math.min(items.length - 1, Math.max(0, active + step))
      setActive(next)
      rows.scrollToIndex(Math.floor(next / columns), { align: 'auto' })
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
      if (event.shiftKey && order[next]) onSelect(clicked(selection, order, order[next], { shift: true, toggle: false }))
    } else if (event.key === ' ' && item) {
      onSelect(clicked(selection, order, item.id, { shift: event.shiftKey, toggle: true }))
    } else if (event.key === 'Enter' && item) {
      onOpen(item)
    } else return
    event.preventDefault()
  }

  return (
    <div ref={frame} className={classes.frame} data-stale={isStale || undefined}>
      <div ref={ref}>
        {isPending && <Placeholders columns={columns} cell_px={cell_px} />}
        <div
          role="listbox"
          aria-multiselectable
          aria-label={t('gallery.title')}
          tabIndex={-1}
          onKeyDown={press}
          style={{ height: rows.getTotalSize(), position: 'relative' }}
        >
          {visible.map((row) => (
            <div
              key={row.key}
              className={classes.row}
              style={{ transform: `translateY(${row.start - offset}px)`, gridTemplateColumns: `repeat(${columns}, ${cell_px}px)` }}
            >
              {items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
                <Cell
                  key={item.id}
                  item={item}
                  labels={labels}
                  index={row.index * columns + column}
                  isActive={row.index * columns + column === active}
                  isSelected={selection.ids.has(item.id)}
                  onSelect={select}
                  onOpen={onOpen}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

interface CellProps {
  item: Item
  labels: readonly Label[]
  index: number
  isActive: boolean
  isSelected: boolean
  onSelect: (id: string, event: MouseEvent) => void
  onOpen: (item: Item) => void
}

function Cell({ item, labels, index, isActive, isSelected, onSelect, onOpen }: CellProps) {
  const { t } = useTranslation('data')
  const names = item.annotations.flatMap((annotation) => (annotation.kind === 'class' ? [annotation.label] : []))
  const color = labels.find(({ name }) => name === names[0])?.color
  const said = item.state === 'unlabelled' ? t('gallery.unlabelled') : names.join(', ') || t('gallery.nothing')
  return (
    <div
      role="option"
      aria-selected={isSelected}
      aria-label={`${item.name}, ${said}`}
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      className={classes.cell}
      onClick={(event) => onSelect(item.id, event)}
      onDoubleClick={() => onOpen(item)}
    >
      <PictureThumb src={item.thumbnail_url} alt="" />
      {isSelected && (
        <span className={classes.check}>
          <IconCheck size={12} stroke={3} />
        </span>
      )}
      <Text size="xs" truncate className={classes.label} c={item.state === 'unlabelled' ? 'dimmed' : undefined}>
        <span className={classes.dot} style={{ background: color ?? 'transparent' }} />
        {said}
      </Text>
      <Text size="xs" c="dimmed" truncate title={item.name}>
        {item.name.slice(item.name.lastIndexOf('/') + 1)}
      </Text>
    </div>
  )
}

function Placeholders({ columns, cell_px }: { columns: number; cell_px: number }) {
  return (
    <div className={classes.placeholders} style={{ gridTemplateColumns: `repeat(${columns}, ${cell_px}px)` }} aria-hidden>
      {Array.from({ length: columns * 3 }, (_, index) => (
        <Skeleton key={index} height={cell_px + CAPTION_PX} />
      ))}
    </div>
  )
}

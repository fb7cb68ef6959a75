import { type KeyboardEvent as Press, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item, Label } from '../../../lib/api/types'
import { useLooseKeys } from '../../../lib/shortcuts/use-loose-keys'
import { useActionOf } from '../../../lib/shortcuts/use-shortcuts'
import { besidesTarget, type Columns } from '../../../lib/table/columns'
import type { HeadOf } from '../../../ui/grid/grid-head'
import { GridFrame } from '../../../ui/grid/grid-frame'
import { useGrid } from '../../../ui/grid/use-grid'
import { type ClickKeys, isChosen, numChosen, type Selection } from '../model/selection'
import type { Wall, WallState } from '../model/wall'
import { RowGridLine } from './row-grid-line'
import classes from './row-grid.module.css'
import { useCellEditing } from './use-cell-editing'
import { useOpenCounts } from './use-open-counts'
import { usePlace } from './use-place'

interface RowGridProps {
  dataset: string
  /** Whether the person may change cells of these rows. */
  canEdit: boolean
  wall: Wall
  state: WallState
  table: Columns
  labels: readonly Label[]
  selection: Selection
  /** Where the keys acted when the page was left. */
  at: number
  onAt: (place: number) => void
  onSelect: (place: number, id: string, keys: ClickKeys) => void
  onOpen: (item: Item) => void
  onDiscuss: (item: Item) => void
  /** Deletes the selected rows after asking. */
  onDelete: () => void
  /** Sorting and filtering by columns. */
  head?: HeadOf
}

/**
 * A table of any number of rows and columns, of which only the visible ones exist. Arrows go from cell to cell, space selects a row,
 * Enter changes a cell and Delete empties it; on the target, which is not changed here, it opens the row to be labelled.
 */
export function RowGrid({ dataset, canEdit, wall, state, table, labels, selection, ...page }: RowGridProps) {
  const { at, onAt, onSelect, onOpen, onDiscuss, onDelete, head } = page
  const { t } = useTranslation('data')
  const columns = besidesTarget(table.columns)
  const [frame, grid] = useGrid({ columns, total: state.total })
  const { active, setActive, goFocus, goTo, from, to } = grid
  const shownWall = useRef(wall)
  const restart = useEffectEvent(() => {
    goTo(0)
    setActive({ place: 0, column: active.column })
  })
  useEffect(() => {
    // Other rows, or another order: from the first one on, at the same columns.
    if (shownWall.current !== wall) restart()
    shownWall.current = wall
  }, [wall])
  useEffect(() => {
    if (state.total > 0) wall.show(from, to)
  }, [wall, from, to, state.total])
  const numComments = useOpenCounts(wall, from, to)
  const editing = useCellEditing({ dataset, wall, columns, canEdit, active, goFocus, onOpen })

  const actionOf = useActionOf('gallery')
  /** On a cell the key means the cell, as in any grid; where other rows are selected they may be meant, so it asks. */
  const remove = () => {
    const own = wall.at(active.place)
    const num = numChosen(selection, state.total)
    if (num === 0 || (num === 1 && own && isChosen(selection, own.id))) editing.empty(active)
    else onDelete()
  }

  usePlace({ at, total: state.total, place: active.place, go: (place) => goFocus({ place, column: 0 }), onAt })
  const walk = (event: Press | KeyboardEvent) => {
    const next = grid.movedBy(event)
    if (!next) return false
    goFocus(next)
    const reached = wall.at(next.place)
    if (event.shiftKey && next.place !== active.place && reached) onSelect(next.place, reached.id, { shift: true, toggle: false })
    event.preventDefault()
    return true
  }
  useLooseKeys((event) => state.total > 0 && !event.altKey && walk(event))
  const press = (event: Press) => {
    if (event.altKey) return
    if (canEdit && active.column > 0 && actionOf(event.nativeEvent)?.id === 'delete') {
      event.preventDefault()
      if (!event.repeat) remove()
      return
    }
    if (walk(event)) return
    const item = wall.at(active.place)
    if (event.key === ' ' && item) onSelect(active.place, item.id, { shift: event.shiftKey, toggle: true })
    else if (event.key === 'Enter') editing.begin(active)
    else return
    event.preventDefault()
  }

  return (
    <div className={classes.outer}>
      <GridFrame
        frame={frame}
        grid={grid}
        label={t('gallery.title')}
        target={table.target}
        isMultiselectable
        isPending={state.isPending}
        {...(head && { head })}
        onKeyDown={press}
        line={(place, top_px) => {
          const item = wall.at(place)
          if (!item) return null
          return (
            <RowGridLine
              key={item.id}
              item={item}
              place={place}
              top_px={top_px}
              columns={grid.shown}
              target_px={grid.target_px}
              labels={labels}
              isSelected={isChosen(selection, item.id)}
              tabStop={grid.tabStopOf(place)}
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
        }}
      />
      {editing.dialogs}
    </div>
  )
}

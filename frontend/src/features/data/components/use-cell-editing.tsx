import { useState } from 'react'

import type { Item } from '../../../lib/api/types'
import { useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import type { Column } from '../../../lib/table/columns'
import { useCellEdits } from '../api/cells'
import { type CellEdit, cellOf, editOf } from '../model/cell-edits'
import type { Cursor } from '../../../lib/table/grid-cursor'
import type { Wall } from '../model/wall'
import { CellConflict } from './cell-conflict'
import type { CellEditorProps } from './cell-editor'
import { type LookedAt, RowHistoryDrawer } from './row-history-drawer'

interface CellEditingProps {
  dataset: string
  wall: Wall
  /** Besides the target's. */
  columns: readonly Column[]
  canEdit: boolean
  active: Cursor
  goFocus: (to: Cursor) => void
  onOpen: (item: Item) => void
}

interface Editing {
  /** As it was when the field was opened: what others change meanwhile is found by that. */
  item: Item
  column: string
  text: string
}

/** Changing cells of a grid: the field that is open, what is on its way, what two people changed, and what cells held before. */
export function useCellEditing({ dataset, wall, columns, canEdit, active, goFocus, onOpen }: CellEditingProps) {
  const { edits, pending } = useCellEdits(dataset, wall)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [later, setLater] = useState<ReadonlySet<CellEdit>>(new Set())
  const [looked, setLooked] = useState<LookedAt | null>(null)

  const begin = (at: Cursor) => {
    const item = wall.at(at.place)
    const column = columns[at.column - 1]
    if (!item) return
    if (!column || !canEdit) return onOpen(item)
    const edit = editOf(pending, item.id, column.name)
    if (edit?.state === 'stale') setLater((before) => new Set([...before].filter((one) => one !== edit)))
    else setEditing({ item, column: column.name, text: edit?.text ?? cellOf(item, column.name) })
  }
  const empty = (at: Cursor) => {
    const item = wall.at(at.place)
    const column = columns[at.column - 1]
    if (item && column && canEdit) edits.set(item, column.name, '')
  }
  const placed = (step: number): Cursor => ({
    place: (editing && wall.placeOf(editing.item.id)) ?? active.place,
    column: Math.min(columns.length, Math.max(1, columns.findIndex(({ name }) => name === editing?.column) + 1 + step)),
  })
  const editor: Omit<CellEditorProps, 'column' | 'error'> = {
    text: editing?.text ?? '',
    onSave: (text, step) => {
      if (!editing) return
      edits.set(editing.item, editing.column, text)
      setEditing(null)
      if (step !== null) goFocus(placed(step))
    },
    onCancel: () => {
      const refused = editing && editOf(pending, editing.item.id, editing.column)
      if (refused?.state === 'refused') edits.drop(refused)
      setEditing(null)
      goFocus(placed(0))
    },
    onAway: (text) => setEditing((before) => before && { ...before, text }),
  }
  const look = (item: Item, column: string | null) => setLooked({ item, column })
  const lookHere = () => {
    const item = wall.at(active.place)
    if (item) look(item, columns[active.column - 1]?.name ?? null)
  }
  useShortcuts('grid', { edit: () => begin(active), history: lookHere, ...(canEdit && { undo: () => edits.undoLast() }) })

  // A dialog would take the focus from a field that is typed in.
  const conflict = editing ? undefined : [...pending.values()].find((edit) => edit.state === 'stale' && !later.has(edit))
  const fresh = looked && (wall.at(wall.placeOf(looked.item.id) ?? -1) ?? looked.item)
  const dialogs = (
    <>
      {conflict && canEdit && (
        <CellConflict
          key={`${conflict.item} ${conflict.column}`}
          edit={conflict}
          onLater={() => {
            setLater((before) => new Set([...before, conflict]))
            goFocus(active)
          }}
          onResolve={(choice) => {
            edits.resolve(conflict, choice)
            goFocus(active)
          }}
        />
      )}
      <RowHistoryDrawer
        of={looked && fresh && { ...looked, item: fresh }}
        editable={new Set(columns.map(({ name }) => name))}
        onBack={canEdit ? (item, column, text) => edits.set(item, column, text) : undefined}
        onClose={() => setLooked(null)}
      />
    </>
  )
  const columnOf = (item: string) => (editing?.item.id === item ? editing.column : null)
  return { pending, editor, begin, empty, look, columnOf, dialogs }
}

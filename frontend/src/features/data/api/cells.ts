/** Cells of rows that a person changes: sent here, shown in every grid that is open, taken back from a notice. */
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect, useSyncExternalStore } from 'react'

import { api, data } from '../../../lib/api/client'
import type { Item } from '../../../lib/api/types'
import { useMe } from '../../../lib/session/session'
import { notifyDone, notifyError } from '../../../ui/notify'
import { notifyUndo } from '../../../ui/undo-notice'
import { type CellEdit, CellEdits, type CellServer } from '../model/cell-edits'
import { type RowRevision } from '../model/cell-history'
import type { Wall } from '../model/wall'

/** A notice is to be read at a glance: long cells are cut. */
const MAX_QUOTED_CHARS = 40

const path = (item: string) => ({ params: { path: { item } } })
const rowNow = (item: string) => data(api.GET('/api/items/{item}', path(item)))

const server: CellServer = {
  save: (item, cells, blob) => data(api.PATCH('/api/items/{item}/cells', { ...path(item), body: { cells, blob } })),
  read: rowNow,
}

/** By person and data set; what was refused stays while other pages are looked at. */
const editsByDataset = new Map<string, CellEdits>()
const listeners = new Set<(item: Item) => void>()

function editsOf(person: string, dataset: string): CellEdits {
  const key = `${person} ${dataset}`
  const known = editsByDataset.get(key)
  if (known) return known
  const made: CellEdits = new CellEdits(server, {
    took: (item) => listeners.forEach((listener) => listener(item)),
    saved: (edit) => notifySaved(edit, () => made.undo(edit)),
    refused: ({ error }) => notifyError(error),
  })
  editsByDataset.set(key, made)
  return made
}

/** Of quick changes only the last one offers its way back: each notice takes the place of the one before. */
let lastNotice = ''

function notifySaved({ column, before, text, isUndo }: CellEdit, undo: () => void): void {
  const { t } = i18next
  const quoted = (cell: string) => (cell.length > MAX_QUOTED_CHARS ? `${cell.slice(0, MAX_QUOTED_CHARS)}…` : cell || t('cells:empty'))
  notifications.hide(lastNotice)
  if (isUndo) notifyDone(t('cells:undone', { column, text: quoted(text) }))
  else lastNotice = notifyUndo(t('cells:saved', { column, before: quoted(before), text: quoted(text) }), undo)
}

/** The changes of a data set's cells that are not acknowledged, and how to make some. */
export function useCellEdits(dataset: string, wall: Wall) {
  const queries = useQueryClient()
  const edits = editsOf(useMe().data?.id ?? '', dataset)
  useEffect(() => {
    const listener = (item: Item) => {
      wall.put(item)
      void queries.invalidateQueries({ queryKey: ['profile'] })
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [wall, queries])
  const pending = useSyncExternalStore(edits.subscribe, edits.getState)
  const isUnsaved = pending.size > 0
  useEffect(() => {
    if (!isUnsaved) return
    // What was typed and not saved is gone with the page: the browser asks first.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return { edits, pending }
}

/** What a row holds, and what it held before each change of its cells. */
export function useCellHistory(item: Pick<Item, 'id' | 'blob'>) {
  return useQuery({
    queryKey: ['cell-history', item.id, item.blob],
    queryFn: async (): Promise<{ now: Item; revisions: RowRevision[] }> => {
      const [revisions, now] = await Promise.all([data(api.GET('/api/items/{item}/cells/history', path(item.id))), rowNow(item.id)])
      return { now, revisions }
    },
  })
}

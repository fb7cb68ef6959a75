/** Where somebody stands among the items, as the address keeps it, so that a reload and the way back lead there again. Pure. */
import type { Change } from '../api/change-items'
import type { ItemFilter } from './filter'
import { EVERYTHING, NOTHING, type Selection } from './selection'

export interface Standing {
  selection: Selection
  /** The place that the keys act on. */
  at: number
  /** The item whose comments are open. */
  discussed: string | null
}

/** Up to so many are named in the address; more are kept with its entry in the history of the tab. */
const NAMED = 60

/** What an entry in the history of the tab keeps besides its address. */
export interface HistoryState {
  selected?: readonly string[]
}

const names = (text: string | null) => (text ? text.split(',').filter((name) => /^\w+$/.test(name)) : [])

export function standingOf(search: URLSearchParams, state: HistoryState | null): Standing {
  const place = Number(search.get('at'))
  const at = Number.isSafeInteger(place) && place > 0 ? place : 0
  const ids = state?.selected ?? names(search.get('selected'))
  const isAll = search.get('selected') === 'all'
  const selection: Selection = isAll
    ? { ...EVERYTHING, except: new Set(names(search.get('except'))), anchor: at }
    : ids.length > 0
      ? { ids: new Set(ids), except: null, anchor: at }
      : NOTHING
  return { selection, at, discussed: names(search.get('discussed'))[0] ?? null }
}

/** The address with where somebody stands in it, and what is too long for it. */
export function withStanding(
  search: URLSearchParams,
  { selection, at, discussed }: Standing,
): { search: URLSearchParams; state: HistoryState } {
  const found = new URLSearchParams(search)
  const put = (name: string, value: string | null) => (value ? found.set(name, value) : found.delete(name))
  const [ids, except] = [[...selection.ids], [...(selection.except ?? [])]]
  const isShort = ids.length <= NAMED && except.length <= NAMED
  put('selected', selection.except ? (isShort ? 'all' : null) : isShort ? ids.join(',') : null)
  put('except', isShort ? except.join(',') : null)
  put('at', at > 0 ? String(at) : null)
  put('discussed', discussed)
  return { search: found, state: selection.except === null && !isShort ? { selected: ids } : {} }
}

/** Whether a change may take items out of what is shown: then they are selected no more, for nobody sees them. */
export function takesOutOf(filter: ItemFilter, change: Change): boolean {
  switch (change.kind) {
    case 'delete':
    case 'quarantine':
    case 'restore':
      return true
    case 'label':
      return (
        filter.state !== 'all' ||
        filter.label.length + filter.without.length + filter.cell.length > 0 ||
        filter.by !== null ||
        filter.flag !== null ||
        filter.min_score !== null ||
        filter.max_score !== null
      )
    case 'split':
      return filter.split !== null
    case 'metadata':
      return filter.meta.length > 0
  }
}

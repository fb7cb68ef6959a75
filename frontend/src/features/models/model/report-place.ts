/** Which part of a report is open, from its URL, so that going back returns to it. Pure. */
import type { ItemsView } from './items-query'

const OUTCOMES = ['found', 'missed', 'false_alarm', 'rest'] as const
const UNSURE = ['asked', 'wrong'] as const

export interface ReportPlace {
  /** Null before one is chosen. */
  split: string | null
  /** The number whose items are listed. */
  view: ItemsView | null
  /** Id of the item that is looked at. */
  item: string | null
}

export function placeOf(search: URLSearchParams): ReportPlace {
  return { split: search.get('split'), view: viewOf(search), item: search.get('item') }
}

/** The URL of another part of the same report; other query parameters are kept. */
export function withPlace(search: URLSearchParams, change: Partial<ReportPlace>): URLSearchParams {
  const { split, view, item } = { ...placeOf(search), ...change }
  const after = new URLSearchParams(search)
  const values = {
    split,
    actual: view?.kind === 'cell' || view?.kind === 'objects' ? view.truth : null,
    predicted: view?.kind === 'cell' || view?.kind === 'objects' ? view.answer : null,
    objects: view?.kind === 'objects' ? '1' : null,
    label: view?.kind === 'label' || view?.kind === 'outcome' ? view.label : null,
    from: view?.kind === 'outcome' ? String(view.threshold) : null,
    outcome: view?.kind === 'outcome' ? view.outcome : null,
    other: view?.kind === 'outcome' ? view.other : null,
    one: view?.kind === 'one' ? view.item : null,
    unsure: view?.kind === 'unsure' ? view.outcome : null,
    rate: view?.kind === 'unsure' ? String(view.errorRate) : null,
    scope: view?.kind === 'unsure' ? view.scope : null,
    slice: view?.kind === 'slice' ? String(view.place) : null,
    item,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) after.delete(name)
    else after.set(name, value)
  }
  return after
}

function viewOf(search: URLSearchParams): ItemsView | null {
  const [truth, answer, label, one] = ['actual', 'predicted', 'label', 'one'].map((name) => search.get(name))
  if (search.get('objects') === '1' && (truth != null || answer != null))
    return { kind: 'objects', truth: truth ?? null, answer: answer ?? null }
  if (truth != null && answer != null) return { kind: 'cell', truth, answer }
  const outcome = OUTCOMES.find((each) => each === search.get('outcome'))
  if (label != null && outcome)
    return { kind: 'outcome', label, outcome, threshold: Number(search.get('from')) || 0, other: search.get('other') }
  if (label != null) return { kind: 'label', label }
  const unsure = UNSURE.find((each) => each === search.get('unsure'))
  if (unsure) {
    const scope = search.get('scope') === 'label' ? 'label' : 'all'
    return { kind: 'unsure', outcome: unsure, errorRate: Number(search.get('rate')) || 0.1, scope }
  }
  const slice = search.get('slice')
  if (slice !== null && /^\d+$/.test(slice)) return { kind: 'slice', place: Number(slice) }
  return one != null ? { kind: 'one', item: one } : null
}

/** What of the pictures is shown. Pure; lives in the address, so that other pages and bookmarks can lead to a choice. */
import type { Split } from '../../../lib/api/types'
import { cellTestOf } from './cell-tests'

export interface ItemFilter {
  where: 'present' | 'deleted' | 'quarantined'
  state: 'all' | 'annotated' | 'unlabelled'
  /** At least one of these. */
  label: readonly string[]
  /** None of these. */
  without: readonly string[]
  split: Split | null
  /** Who annotated it. */
  by: string | null
  /** Kind of a finding of the quality report. */
  flag: string | null
  /** Metadata as `name=value`. */
  meta: readonly string[]
  /** It has an unresolved comment. */
  comments: 'open' | null
  /** What the cells of rows say, as `cell-tests` writes it. */
  cell: readonly string[]
  q: string
  min_score: number | null
  max_score: number | null
}

export const NO_FILTER: ItemFilter = {
  where: 'present',
  state: 'all',
  label: [],
  without: [],
  split: null,
  by: null,
  flag: null,
  meta: [],
  comments: null,
  cell: [],
  q: '',
  min_score: null,
  max_score: null,
}

const WHERE = ['present', 'deleted', 'quarantined'] as const
const STATES = ['all', 'annotated', 'unlabelled'] as const
const SPLITS = ['train', 'validation', 'test'] as const

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find((one) => one === value) ?? null
}

function fraction(value: string | null): number | null {
  const number = value ? Number(value) : NaN
  return number >= 0 && number <= 1 ? number : null
}

/** The filter of an address; what it does not understand is left out. */
export function filterOf(search: URLSearchParams): ItemFilter {
  return {
    where: oneOf(WHERE, search.get('where')) ?? 'present',
    state: oneOf(STATES, search.get('state')) ?? 'all',
    label: search.getAll('label'),
    without: search.getAll('without'),
    split: oneOf(SPLITS, search.get('split')),
    by: search.get('by') || null,
    flag: search.get('flag') || null,
    meta: search.getAll('meta').filter((one) => one.includes('=')),
    comments: oneOf(['open'] as const, search.get('comments')),
    cell: search.getAll('cell').filter((one) => cellTestOf(one) !== null),
    q: search.get('q') ?? '',
    min_score: fraction(search.get('min_score')),
    max_score: fraction(search.get('max_score')),
  }
}

type Query = { [K in keyof ItemFilter]?: NonNullable<ItemFilter[K]> extends readonly string[] ? string[] : NonNullable<ItemFilter[K]> }

/** The filter as query fields, without those at their default. */
export function queryOf(filter: ItemFilter): Query {
  const query: Query = {}
  if (filter.where !== 'present') query.where = filter.where
  if (filter.state !== 'all') query.state = filter.state
  for (const name of ['label', 'without', 'meta', 'cell'] as const) if (filter[name].length) query[name] = [...filter[name]]
  if (filter.split) query.split = filter.split
  for (const name of ['by', 'flag'] as const) if (filter[name]) query[name] = filter[name]
  if (filter.comments) query.comments = filter.comments
  if (filter.q.trim()) query.q = filter.q.trim()
  for (const name of ['min_score', 'max_score'] as const) if (filter[name] !== null) query[name] = filter[name]
  return query
}

export function searchOf(filter: ItemFilter): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(queryOf(filter)))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  return search
}

export interface Chip {
  /** Which condition, and which value of it. */
  field: keyof ItemFilter
  value: string
  /** The filter without it. */
  rest: ItemFilter
}

/** The conditions that hold, one chip each; state and text have controls of their own. */
export function chipsOf(filter: ItemFilter): Chip[] {
  const chips: Chip[] = []
  if (filter.where !== 'present') chips.push({ field: 'where', value: filter.where, rest: { ...filter, where: 'present' } })
  for (const field of ['label', 'without', 'meta', 'cell'] as const)
    for (const value of filter[field])
      chips.push({ field, value, rest: { ...filter, [field]: filter[field].filter((one) => one !== value) } })
  for (const field of ['split', 'by', 'flag', 'comments'] as const) {
    const value = filter[field]
    if (value) chips.push({ field, value, rest: { ...filter, [field]: null } })
  }
  for (const field of ['min_score', 'max_score'] as const) {
    const value = filter[field]
    if (value !== null) chips.push({ field, value: String(value), rest: { ...filter, [field]: null } })
  }
  return chips
}

export const isFiltered = (filter: ItemFilter) => Object.keys(queryOf(filter)).length > 0

/** Maths of the bar list. */
import { compareValues, type Sort } from '../../lib/sort'

export interface BarRow {
  key: string
  title: string
  /** One value a column, by the column's key. */
  values: Record<string, number | null>
}

/** A sorted copy, by a column or by `title`. Unknown values stand last in both directions; equal ones by title. */
export function sortRows(rows: readonly BarRow[], { column, isDescending }: Sort): BarRow[] {
  const valueOf = (row: BarRow) => (column === 'title' ? row.title : (row.values[column] ?? null))
  const order = (a: BarRow, b: BarRow) => compareValues(valueOf(a), valueOf(b), isDescending)
  return [...rows].sort((a, b) => order(a, b) || compareValues(a.title, b.title, false))
}

/** Largest size of a column's values, at least `floor`; the length of its full bar. */
export function fullBar(rows: readonly BarRow[], column: string, floor: number): number {
  return rows.reduce((most, row) => Math.max(most, Math.abs(row.values[column] ?? 0)), floor)
}

/** Where a bar begins and how long it is, in fractions of its track. */
export function barSpan(value: number | null, full: number, isSigned: boolean): { start_fraction: number; width_fraction: number } {
  const share = value === null || full <= 0 ? 0 : Math.min(1, Math.abs(value) / full)
  if (!isSigned) return { start_fraction: 0, width_fraction: share }
  return { start_fraction: value !== null && value < 0 ? 0.5 - share / 2 : 0.5, width_fraction: share / 2 }
}

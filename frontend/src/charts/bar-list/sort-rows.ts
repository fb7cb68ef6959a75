/** Maths of the bar list. */

export interface BarRow {
  key: string
  title: string
  /** One value a column, by the column's key. */
  values: Record<string, number | null>
}

export interface BarSort {
  /** Column key, or `title`. */
  column: string
  isDescending: boolean
}

/** A sorted copy. Unknown values stand last in both directions; equal ones by title. */
export function sortRows(rows: readonly BarRow[], { column, isDescending }: BarSort): BarRow[] {
  const sign = isDescending ? -1 : 1
  const byTitle = (a: BarRow, b: BarRow) => a.title.localeCompare(b.title, undefined, { numeric: true })
  return [...rows].sort((a, b) => {
    if (column === 'title') return sign * byTitle(a, b)
    const left = a.values[column] ?? null
    const right = b.values[column] ?? null
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byTitle(a, b)
    return sign * (left - right) || byTitle(a, b)
  })
}

/** What a click on a column's head does: turn the order, or start with the end people look for first. */
export function nextSort(before: BarSort, column: string): BarSort {
  if (before.column === column) return { column, isDescending: !before.isDescending }
  return { column, isDescending: false }
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

/** The order of tables that a person sorts. Pure. */

export interface Sort {
  /** Key of a column. */
  column: string
  isDescending: boolean
}

export type SortValue = number | string | null

/** For `Array.sort`. Unknown values stand last in both directions. */
export function compareValues(left: SortValue, right: SortValue, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  const order =
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right), undefined, { numeric: true })
  return isDescending ? -order : order
}

/** A sorted copy; what is equal stays in its order. Rows of one group stay together, the largest group first in both directions. */
export function sorted<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  isDescending: boolean,
  groupOf: (row: Row) => SortValue = () => null,
): Row[] {
  return [...rows].sort((a, b) => compareValues(groupOf(a), groupOf(b), true) || compareValues(valueOf(a), valueOf(b), isDescending))
}

/** What a click on a column's head does: turn the order, or begin with the end that people look for first. */
export function nextSort(before: Sort | null, column: string, isDescendingFirst = false): Sort {
  return { column, isDescending: before?.column === column ? !before.isDescending : isDescendingFirst }
}

/** As it stands in an address: `-` before a column that descends. */
export function sortText({ column, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${column}`
}

export function sortOf(text: string | null): Sort | null {
  if (!text) return null
  return text.startsWith('-') ? { column: text.slice(1), isDescending: true } : { column: text, isDescending: false }
}

/** What a person may change about columns, as functions on all of them: the server takes them whole. */
import type { CellKind } from '../../../lib/table/cells'
import type { Column } from '../../../lib/table/columns'

type Change = (columns: readonly Column[]) => Column[]

/** Says something else of one column. */
export const withColumn =
  (name: string, changes: Partial<Column>): Change =>
  (columns) =>
    columns.map((column) => (column.name === name ? { ...column, ...changes } : column))

/** Makes one column the target; the one before is learned from again. */
export const withTarget =
  (name: string): Change =>
  (columns) =>
    columns.map((column) => {
      if (column.name === name) return { ...column, role: 'target' }
      return column.role === 'target' ? { ...column, role: 'feature' } : column
    })

/** Columns that may be predicted. */
export function targetChoices<T extends Pick<Column, 'name' | 'kind'>>(columns: readonly T[], kinds: readonly CellKind[]): T[] {
  return columns.filter(({ kind }) => kinds.includes(kind))
}

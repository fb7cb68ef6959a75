/** The history of a row's cells, from the row before each change. Pure. */
import type { Answer } from '../../../lib/api/answer'

export type RowRevision = Answer<'RowRevisionOut'>
type Cells = Readonly<Record<string, string>>

export interface CellChange {
  column: string
  /** Empty for an empty cell. */
  from: string
  to: string
}

export interface RowChange {
  by: RowRevision['changed_by']
  at: string
  changes: CellChange[]
}

/**
 * The changes of a row, the latest first.
 *
 * @param revisions what the row held before each change, the latest first
 * @param now what it holds
 * @param column only changes of this one
 */
export function changesOf(revisions: readonly RowRevision[], now: Cells, column: string | null = null): RowChange[] {
  return revisions
    .map(({ row, changed_by, changed_at }, index) => {
      const changes = differences(row.cells, revisions[index - 1]?.row.cells ?? now)
      return { by: changed_by, at: changed_at, changes: changes.filter((one) => column === null || one.column === column) }
    })
    .filter(({ changes }) => changes.length > 0)
}

function differences(before: Cells, after: Cells): CellChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((column) => ({ column, from: before[column] ?? '', to: after[column] ?? '' }))
    .filter(({ from, to }) => from !== to)
}

/** What of the rows of a table differs between two states. Pure. */
import { besidesTarget, type Column } from '../../../lib/table/columns'
import { annotationWords, type AnnotationText } from './annotation-words'

type Cells = Readonly<Record<string, string>>

export interface ChangedRow {
  row_before: { cells: Cells } | null
  row_after: { cells: Cells } | null
}

export interface CellChange {
  before: string
  after: string
  /** Of a row that is on both sides and has something else there now. */
  isChanged: boolean
}

/** What a cell held and holds; of a row that is on one side only, what it holds there. */
export function cellChange({ row_before, row_after }: ChangedRow, column: string): CellChange {
  const before = (row_before ?? row_after)?.cells[column] ?? ''
  const after = (row_after ?? row_before)?.cells[column] ?? ''
  return { before, after, isChanged: before !== after }
}

/** The columns of both states besides the target's: in the order of the later one, then those that it has no more. */
export function columnsOfBoth(before: readonly Column[], after: readonly Column[]): Column[] {
  const known = new Set(after.map(({ name }) => name))
  return [...besidesTarget(after), ...besidesTarget(before).filter(({ name }) => !known.has(name))]
}

/** Those of the columns in which a cell changed. */
export function changedColumns(columns: readonly Column[], rows: readonly ChangedRow[]): Column[] {
  return columns.filter(({ name }) => rows.some((row) => cellChange(row, name).isChanged))
}

/** The annotation of a row as text; empty without one. */
export function annotationsText(annotations: readonly AnnotationText[] | null): string {
  return (annotations ?? []).map(annotationWords).join(', ')
}

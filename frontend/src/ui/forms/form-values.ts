/** A form's fields as text: a value for a person, and files for programs. Pure. */
import type { Answer } from '../../lib/api/answer'
import { csv } from '../../lib/csv'

export type ReadForm = Answer<'ReadFormOut'>
export type ReadField = ReadForm['fields'][number]
type Row = Extract<ReadField['value'], unknown[]>[number]
export type CellValue = Row[string]

/** The rows of a table; null of other fields, and where no table was found. */
export const rowsOf = ({ value }: Pick<ReadField, 'value'>): Row[] | null => (Array.isArray(value) ? value : null)

/** The names of a table's columns. */
export const columnsOf = (rows: readonly Row[]): string[] => Object.keys(rows[0] ?? {})

/** A value in one line. */
export function valueText(value: CellValue): string {
  if (value === null) return ''
  return typeof value === 'object' ? [value.amount, value.currency].filter(Boolean).join(' ') : String(value)
}

/** Values by name. */
export const valuesJson = ({ fields }: ReadForm): string =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value])), null, 2)

/** One row a field (RFC 4180); a table is written as JSON. */
export function fieldsCsv({ fields }: ReadForm): string {
  const rows = fields.map(({ name, value, text, confidence, problems }) => [
    name,
    Array.isArray(value) ? JSON.stringify(value) : valueText(value),
    text,
    String(confidence),
    problems.map(({ code }) => code).join(' '),
  ])
  return csv([['name', 'value', 'text', 'confidence', 'problems'], ...rows])
}

/** The rows of a table. */
export function tableCsv(rows: readonly Row[]): string {
  const columns = columnsOf(rows)
  return csv([columns, ...rows.map((row) => columns.map((column) => valueText(row[column] ?? null)))])
}

/** A form for one row: which field a column gets, and what its cells become. */
import { type CellKind, isMissing, numberOf } from '../../../lib/table/cells'

export interface FieldLike {
  name: string
  kind: CellKind
  decimal: string
  units: readonly string[]
  datetime_format: string
  choices: readonly string[]
  typical: string
  minimum: number | null
  maximum: number | null
}

export type Cells = Record<string, string>

/** What the form begins with: a row of the data, or what is typical where there is none. Only columns of the model. */
export function cellsOf(fields: readonly FieldLike[], example: Cells | undefined): Cells {
  return Object.fromEntries(fields.map(({ name, typical }) => [name, example ? (example[name] ?? '') : typical]))
}

/** The row as it is sent: empty cells are left out. */
export const sentRow = (cells: Cells): Cells => Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell.trim() !== ''))

/** Names of the columns whose cells differ. */
export const changedColumns = (cells: Cells, original: Cells): string[] =>
  Object.keys(cells).filter((name) => (cells[name] ?? '') !== (original[name] ?? ''))

export const decimalOf = ({ decimal }: Pick<FieldLike, 'decimal'>): '.' | ',' => (decimal === ',' ? ',' : '.')

export interface SliderRange {
  min: number
  max: number
  step: number
}

/** The range that a slider walks, wide enough for the cell that stands there; null where none is known. */
export function sliderOf(field: FieldLike, cell: string): SliderRange | null {
  const { minimum, maximum } = field
  if (field.kind !== 'number' || minimum === null || maximum === null || !(maximum > minimum)) return null
  const value = numberOf(cell, decimalOf(field), field.units)
  const [min, max] = Number.isFinite(value) ? [Math.min(minimum, value), Math.max(maximum, value)] : [minimum, maximum]
  const rough = 10 ** Math.floor(Math.log10((max - min) / 100))
  const isWhole = Number.isInteger(minimum) && Number.isInteger(maximum) && max - min >= 5
  return { min, max, step: isWhole ? Math.max(1, rough) : rough }
}

/** A number as a cell of the column. */
export function cellOf(value: number, field: Pick<FieldLike, 'decimal'>): string {
  const text = String(Number(value.toPrecision(10)))
  return decimalOf(field) === ',' ? text.replace('.', ',') : text
}

/** Whether the cell holds something that cannot be read as the column's number. */
export const isUnreadable = (field: FieldLike, cell: string): boolean =>
  field.kind === 'number' && !isMissing(cell) && Number.isNaN(numberOf(cell, decimalOf(field), field.units))

/** The unit that is shown beside a cell: none where the cell has one itself. */
export const unitBeside = ({ units }: Pick<FieldLike, 'units'>, cell: string): string | undefined =>
  /[^\d\s.,+-]/.test(cell) ? undefined : units[0]

/** Which picker of the browser takes the cells of a column of moments; `text` where they are not written as it writes them. */
export function pickerOf(
  { datetime_format }: Pick<FieldLike, 'datetime_format'>,
  cells: readonly string[],
): 'date' | 'datetime-local' | 'text' {
  if (datetime_format !== '' && datetime_format !== 'iso') return datetime_format === '%Y-%m-%d' ? 'date' : 'text'
  const known = cells.filter((cell) => cell.trim() !== '')
  if (known.length && known.every((cell) => /^\d{4}-\d\d-\d\d$/.test(cell))) return 'date'
  return known.length && known.every((cell) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(cell)) ? 'datetime-local' : 'text'
}

/** Conditions on the cells of a column, as the address and the server write them: `age>=30`, `city=Ulm`, `city=` (missing). Pure. */

export type CellOp = '=' | '!=' | '>=' | '<=' | '~'

export interface CellTest {
  column: string
  op: CellOp
  value: string
}

const WRITTEN = /^([^<>=!~]+)(<=|>=|!=|=|~)([^]*)$/

/** Null of what is no condition. */
export function cellTestOf(written: string): CellTest | null {
  const [, name, op, value] = WRITTEN.exec(written) ?? []
  if (!name || !op) return null
  try {
    return { column: decodeURIComponent(name), op: op as CellOp, value: value ?? '' }
  } catch {
    return null
  }
}

const escaped = (column: string) =>
  column.replace(/[%<>=!~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

export const writtenTest = ({ column, op, value }: CellTest) => `${escaped(column)}${op}${value}`

/** What is asked of one column. */
export interface ColumnFilter {
  from: string
  to: string
  /** One of these. */
  values: readonly string[]
  /** Contains this. */
  part: string
  /** Whether a cell may be missing, must be, or must not. */
  missing: 'any' | 'only' | 'none'
}

export const NO_COLUMN_FILTER: ColumnFilter = { from: '', to: '', values: [], part: '', missing: 'any' }

const isOf = (column: string) => (written: string) => cellTestOf(written)?.column === column

export function columnFilterOf(cell: readonly string[], column: string): ColumnFilter {
  const own = cell.filter(isOf(column)).flatMap((written) => cellTestOf(written) ?? [])
  const valueOf = (op: CellOp) => own.find((test) => test.op === op)?.value ?? ''
  const isAsked = (op: CellOp) => own.some((test) => test.op === op && test.value === '')
  return {
    from: valueOf('>='),
    to: valueOf('<='),
    values: own.filter(({ op, value }) => op === '=' && value !== '').map(({ value }) => value),
    part: valueOf('~'),
    missing: isAsked('=') ? 'only' : isAsked('!=') ? 'none' : 'any',
  }
}

/** The conditions with those of one column in place of what was asked of it before. */
export function withColumnFilter(cell: readonly string[], column: string, filter: ColumnFilter): string[] {
  const tests: [CellOp, string][] = [
    ...(filter.from.trim() ? [['>=', filter.from.trim()] as [CellOp, string]] : []),
    ...(filter.to.trim() ? [['<=', filter.to.trim()] as [CellOp, string]] : []),
    ...filter.values.map((value): [CellOp, string] => ['=', value]),
    ...(filter.part.trim() ? [['~', filter.part.trim()] as [CellOp, string]] : []),
  ]
  // Of a missing cell nothing else can be asked.
  const asked: [CellOp, string][] = filter.missing === 'only' ? [['=', '']] : filter.missing === 'none' ? [...tests, ['!=', '']] : tests
  const others = cell.filter((written) => !isOf(column)(written))
  return [...others, ...asked.map(([op, value]) => writtenTest({ column, op, value }))]
}

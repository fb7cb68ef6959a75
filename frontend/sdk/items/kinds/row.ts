/** Rows of a table: one tensor for each kind of columns. */
import type { Tensor } from 'onnxruntime-common'

import type { Cell, Item, PredictOptions, Row } from '../../api'
import { ModelError } from '../../errors'
import { json, type RowColumn, type RowDecode } from '../../manifest'
import { type Decimal, folded, numberOf, textOf } from '../cells'
import type { ItemKind, Piece, Platform } from '../kind'
import { MISSING_TIME, momentReader } from '../moments'

/** Rows times columns of one run: a graph of trees needs some memory for each row. */
const BATCH_CELLS = 400_000
/** Of one row. */
const MAX_CELLS = 2_000
const SHOWN_CHARACTERS = 80
const NAMED_COLUMNS = 20
const FLOAT = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)([eE][+-]?\d+)?$/

/** Cells of a column as numbers, moments or texts; null where one is none. */
interface Column {
  name: string
  read(cell: Cell): number | bigint | string | null
}

interface Group {
  input: string
  description: string
  missing: number | bigint
  open(column: RowColumn): Column['read']
  tensor(values: (number | bigint | string)[], axes: number[], platform: Platform): Tensor
}

const texts: Pick<Group, 'description' | 'missing' | 'tensor'> = {
  description: 'text',
  missing: NaN,
  tensor: (values, axes, { ort }) => new ort.Tensor('string', values as string[], axes),
}

const GROUPS: Record<string, Group> = {
  number: {
    input: 'numbers',
    description: 'number',
    missing: NaN,
    open: ({ decimal, units }) => {
      const sign: Decimal = decimal === ',' ? ',' : '.'
      return (cell) => numberOf(cell, sign, units)
    },
    tensor: (values, axes, { ort }) => new ort.Tensor('float32', Float32Array.from(values as number[]), axes),
  },
  datetime: {
    input: 'datetimes',
    description: 'moment',
    missing: MISSING_TIME,
    open: ({ datetime_format: format = '' }) => momentReader(format),
    tensor: (values, axes, { ort }) => new ort.Tensor('int64', BigInt64Array.from(values as bigint[]), axes),
  },
  category: { input: 'categories', ...texts, open: categoryReader },
  text: { input: 'texts', ...texts, open: () => textOf },
}

/** The value of a category; a number or a boolean is taken for the value that reads so: true for `True`, 3 for `3.0`. */
function categoryReader({ known, choices = [] }: RowColumn): Column['read'] {
  const values = known ?? choices
  const seen = new Set(values.length ? values : choices)
  const spoken = new Map<string | number, string>()
  const spellings = new Map<string, string>()
  for (const value of [...values].reverse()) {
    spoken.set(value.toLowerCase(), value)
    if (FLOAT.test(value.trim())) spoken.set(Number(value.trim().replaceAll('_', '')), value)
    spellings.set(folded(value), value)
  }
  return (cell) => {
    const text = textOf(cell)
    if (!text || seen.has(text)) return text
    if (typeof cell === 'string') return known ? (spellings.get(folded(text)) ?? text) : text
    if (typeof cell === 'boolean') return spoken.get(text) ?? spoken.get(Number(cell)) ?? text
    return spoken.get(Number(cell)) ?? text
  }
}

function cellsOf(item: unknown, place: number): Row {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || ArrayBuffer.isView(item))
    throw new ModelError('row_invalid', `row ${place} is no object of cells`, { row: place })
  const cells = Object.entries(item as Record<string, unknown>)
  if (cells.length > MAX_CELLS)
    throw new ModelError('row_invalid', `row ${place} has ${cells.length} cells, at most ${MAX_CELLS} are read`, { row: place })
  const odd = cells.find(([, cell]) => cell !== null && !['string', 'number', 'boolean', 'undefined'].includes(typeof cell))
  if (odd)
    throw new ModelError('row_invalid', `row ${place}, column ${odd[0]}: a cell is a text, a number, true, false or null`, {
      row: place,
      column: odd[0],
    })
  return item as Row
}

export const KIND: ItemKind = {
  files: () => [],

  open(manifest, _files, platform) {
    const { columns } = manifest.decode as RowDecode
    const groups = Object.entries(GROUPS).map(([kind, group]) => {
      const own = columns.filter((column) => column.kind === kind)
      return { ...group, columns: own.map((column): Column => ({ name: column.name, read: group.open(column) })) }
    })
    const strange = columns.find(({ kind }) => !(kind in GROUPS))
    if (strange) throw new ModelError('artefact_unreadable', `cannot read columns of ${strange.kind}`)
    const names = columns.map(({ name }) => name)

    function read(rows: readonly Row[], first: number, isLenient: boolean): Piece {
      const feeds: Piece['feeds'] = {}
      for (const { input, description, missing, columns: own, tensor } of groups) {
        if (!own.length) continue
        const values = rows.flatMap((row, place) =>
          own.map((column) => {
            const value = column.read(row[column.name])
            if (value !== null) return value
            if (isLenient) return missing
            const cell = String(row[column.name]).slice(0, SHOWN_CHARACTERS)
            const facts = { row: first + place, column: column.name, cell }
            throw new ModelError('cell_invalid', `row ${facts.row}, column ${column.name}: '${cell}' is no ${description}`, facts)
          }),
        )
        feeds[input] = tensor(values, [rows.length, own.length], platform)
      }
      return { feeds, count: rows.length, size: { width: 0, height: 0 } }
    }

    function checked(item: unknown, place: number): Row {
      const row = cellsOf(item, place)
      if (names.some((name) => Object.hasOwn(row, name))) return row
      const listed = names.slice(0, NAMED_COLUMNS).join(', ')
      throw new ModelError('columns_missing', `row ${place} has none of the model's columns: ${listed}`, { row: place })
    }

    async function* pieces(items: readonly Item[], options: PredictOptions): AsyncIterable<Piece> {
      const rows = items.map((item, place) => checked(item, place + 1))
      const atOnce = Math.max(1, Math.floor(BATCH_CELLS / columns.length))
      for (let first = 0; first < rows.length; first += atOnce)
        yield read(rows.slice(first, first + atOnce), first + 1, options.invalidCells === 'missing')
    }

    const sampleCells = (bytes: Uint8Array) => cellsOf(json<{ cells: unknown }>(bytes, 'a golden sample').cells, 1)
    return {
      typical: async () => read([Object.fromEntries(columns.map(({ name, typical }) => [name, typical ?? '']))], 1, true),
      sample: async (bytes) => read([sampleCells(bytes)], 1, true),
      item: (bytes) => ({ ...Object.fromEntries(names.map((name) => [name, null])), ...sampleCells(bytes) }),
      pieces,
    }
  },
}

/** What is marked on a template, between the canvas and the API. Pure. */
import { boxObject, boxOf, cornersOf } from '../../../canvas/corners'
import { type CanvasObject, makeId, type Tuple } from '../../../canvas/object'
import type { TemplateBody, TemplateDetail } from '../api/templates'

/** Kinds of values, of fields and of columns. */
export const VALUE_KINDS = ['text', 'number', 'amount', 'date', 'choice'] as const
export const KINDS = [...VALUE_KINDS, 'table'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]
export type FieldKind = (typeof KINDS)[number]
export const ORDERS = ['dmy', 'mdy', 'ymd'] as const
export const SEPARATORS = ['.', ','] as const

/** What an object on the canvas is: its label. */
export const ROLES = ['line', 'reference', 'field'] as const
export type Role = (typeof ROLES)[number]

/** How a value is read. A change of the kind keeps what belongs to the others, so that it can be undone. */
export interface ValueDetails {
  name: string
  choices: readonly string[]
  order: (typeof ORDERS)[number]
  currency: string
  separator: (typeof SEPARATORS)[number] | null
}

export interface ColumnDetails extends ValueDetails {
  kind: ValueKind
}

/** What belongs to an object beside its shape. Each object keeps all of it, so that a change of role can be undone. */
export interface Details extends ValueDetails {
  /** Of a line or reference. */
  text: string
  /** Of a field; so is the rest. */
  kind: FieldKind
  isRequired: boolean
  /** Of a table. */
  columns: readonly ColumnDetails[]
  hasHeader: boolean
}

export type AllDetails = ReadonlyMap<string, Details>

const NO_VALUE: ValueDetails = { name: '', choices: [], order: 'dmy', currency: '', separator: null }

export const NO_COLUMN: ColumnDetails = { ...NO_VALUE, kind: 'text' }

export const NO_DETAILS: Details = { ...NO_VALUE, text: '', kind: 'text', isRequired: true, columns: [], hasHeader: true }

type Field = TemplateDetail['fields'][number]
type Content = Pick<TemplateBody, 'references' | 'fields'>

/** The objects of a template and what belongs to each; lines that were read come first, below what is marked. */
export function marksOf({ lines, references, fields }: Pick<TemplateDetail, 'lines' | 'references' | 'fields'>): {
  objects: CanvasObject[]
  details: Map<string, Details>
} {
  const objects: CanvasObject[] = []
  const details = new Map<string, Details>()
  const marked = new Set(references.map(({ points }) => JSON.stringify(points)))
  const put = (role: Role, shape: { points: number[][] } | Field['box'], own: Partial<Details>) => {
    const id = makeId()
    details.set(id, { ...NO_DETAILS, ...own })
    objects.push(
      'points' in shape
        ? { kind: 'polygon', id, label: role, parts: [{ points: shape.points as Tuple[], holes: [] }] }
        : boxObject(id, role, shape),
    )
  }
  for (const { text, points } of lines) if (!marked.has(JSON.stringify(points))) put('line', { points }, { text })
  for (const { text, points } of references) put('reference', { points }, { text })
  for (const { name, kind, is_required, box, options } of fields)
    put('field', box, {
      ...valueDetails(name, options),
      kind: kind as FieldKind,
      isRequired: is_required ?? false,
      columns: (options?.columns ?? []).map((column) => ({
        ...valueDetails(column.name, column.options),
        kind: (column.kind ?? 'text') as ValueKind,
      })),
      hasHeader: options?.has_header ?? true,
    })
  return { objects, details }
}

type Options = NonNullable<Field['options']>
type ValueOptions = Omit<Options, 'columns' | 'has_header'>

const valueDetails = (name: string, options: ValueOptions | undefined): ValueDetails => ({
  name,
  choices: options?.choices ?? [],
  order: (options?.order ?? 'dmy') as Details['order'],
  currency: options?.currency ?? '',
  separator: (options?.decimal_separator ?? null) as Details['separator'],
})

function valueOptions({ kind, choices, order, currency, separator }: ValueDetails & { kind: FieldKind }): ValueOptions {
  const decimals = separator && { decimal_separator: separator }
  return {
    ...(kind === 'choice' && { choices: [...choices] }),
    ...(kind === 'date' && { order }),
    ...(kind === 'amount' && { ...(currency && { currency }), ...decimals }),
    ...(kind === 'number' && decimals),
  }
}

/** What is saved. */
export function contentOf(objects: readonly CanvasObject[], details: AllDetails): Content {
  const own = (role: Role) => objects.filter(({ label }) => label === role)
  const of = ({ id }: CanvasObject) => details.get(id) ?? NO_DETAILS
  return {
    references: own('reference').map((object) => ({ text: of(object).text.trim(), points: cornersOf(object) as [number, number][] })),
    fields: own('field').map((object) => {
      const own = of(object)
      const { name, kind, isRequired, columns, hasHeader } = own
      const options = {
        ...valueOptions(own),
        ...(kind === 'table' && {
          ...(columns.length > 0 && {
            columns: columns.map((column) => ({ name: column.name.trim(), kind: column.kind, options: valueOptions(column) })),
          }),
          has_header: hasHeader,
        }),
      }
      return { name: name.trim(), kind, is_required: isRequired, box: boxOf(object), options }
    }),
  }
}

/** What stands in the way of saving; null where nothing does. */
export function faultOf({ references, fields }: Content): 'text' | 'name' | 'twice' | 'choices' | 'columns' | null {
  if (references.some(({ text }) => !text)) return 'text'
  if (fields.some(({ name }) => !name)) return 'name'
  if (new Set(fields.map(({ name }) => name)).size < fields.length) return 'twice'
  if (fields.some(({ kind, options }) => kind === 'choice' && !options?.choices?.length)) return 'choices'
  return fields.some(({ options }) => options?.columns && !areColumnsSound(options.columns)) ? 'columns' : null
}

function areColumnsSound(columns: NonNullable<Options['columns']>): boolean {
  const names = columns.map(({ name }) => name)
  return (
    names.every(Boolean) &&
    new Set(names).size === names.length &&
    columns.every(({ kind, options }) => kind !== 'choice' || options?.choices?.length)
  )
}

/** A name that no field has: `field`, then `field_2` and so on. */
export function freeName(stem: string, details: AllDetails): string {
  const used = new Set([...details.values()].map(({ name }) => name))
  let name = stem
  for (let number = 2; used.has(name); number++) name = `${stem}_${number}`
  return name
}

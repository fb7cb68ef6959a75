/** What is marked on a template, between the canvas and the API. Pure. */
import { boxObject, boxOf, cornersOf } from '../../../canvas/corners'
import { type CanvasObject, makeId, type Tuple } from '../../../canvas/object'
import type { TemplateBody, TemplateDetail } from '../api/templates'

export const KINDS = ['text', 'number', 'amount', 'date', 'choice'] as const
export type FieldKind = (typeof KINDS)[number]
export const ORDERS = ['dmy', 'mdy', 'ymd'] as const
export const SEPARATORS = ['.', ','] as const

/** What an object on the canvas is: its label. */
export const ROLES = ['line', 'reference', 'field'] as const
export type Role = (typeof ROLES)[number]

/** What belongs to an object beside its shape. Each object keeps all of it, so that a change of role can be undone. */
export interface Details {
  /** Of a line or reference. */
  text: string
  /** Of a field; so is the rest. */
  name: string
  kind: FieldKind
  isRequired: boolean
  choices: readonly string[]
  order: (typeof ORDERS)[number]
  currency: string
  separator: (typeof SEPARATORS)[number] | null
}

export type AllDetails = ReadonlyMap<string, Details>

export const NO_DETAILS: Details = {
  text: '',
  name: '',
  kind: 'text',
  isRequired: true,
  choices: [],
  order: 'dmy',
  currency: '',
  separator: null,
}

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
      name,
      kind: kind as FieldKind,
      isRequired: is_required ?? false,
      choices: options?.choices ?? [],
      order: (options?.order ?? 'dmy') as Details['order'],
      currency: options?.currency ?? '',
      separator: (options?.decimal_separator ?? null) as Details['separator'],
    })
  return { objects, details }
}

/** What is saved. */
export function contentOf(objects: readonly CanvasObject[], details: AllDetails): Content {
  const own = (role: Role) => objects.filter(({ label }) => label === role)
  const of = ({ id }: CanvasObject) => details.get(id) ?? NO_DETAILS
  return {
    references: own('reference').map((object) => ({ text: of(object).text.trim(), points: cornersOf(object) as [number, number][] })),
    fields: own('field').map((object) => {
      const { name, kind, isRequired, choices, order, currency, separator } = of(object)
      const decimals = separator && { decimal_separator: separator }
      const options = {
        ...(kind === 'choice' && { choices: [...choices] }),
        ...(kind === 'date' && { order }),
        ...(kind === 'amount' && { ...(currency && { currency }), ...decimals }),
        ...(kind === 'number' && decimals),
      }
      return { name: name.trim(), kind, is_required: isRequired, box: boxOf(object), options }
    }),
  }
}

/** What stands in the way of saving; null where nothing does. */
export function faultOf({ references, fields }: Content): 'text' | 'name' | 'twice' | 'choices' | null {
  if (references.some(({ text }) => !text)) return 'text'
  if (fields.some(({ name }) => !name)) return 'name'
  if (new Set(fields.map(({ name }) => name)).size < fields.length) return 'twice'
  return fields.some(({ kind, options }) => kind === 'choice' && !options?.choices?.length) ? 'choices' : null
}

/** A name that no field has: `field`, then `field_2` and so on. */
export function freeName(stem: string, details: AllDetails): string {
  const used = new Set([...details.values()].map(({ name }) => name))
  let name = stem
  for (let number = 2; used.has(name); number++) name = `${stem}_${number}`
  return name
}

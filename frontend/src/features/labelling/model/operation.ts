/** One change as the journal keeps it: a step from what was seen to what was meant, with a name that makes sending it twice harmless. */
import type { ItemAnnotations } from '../../../answers/annotations'
import type { Annotation } from '../../../lib/api/types'

/** What a model proposed when the person decided. */
export interface Shown {
  by: string
  annotations: Annotation[]
}

export interface AnnotationOperation {
  /** Name of the change: the tab that made it and a count there. */
  operation: string
  project: string
  item: string
  before: ItemAnnotations
  after: ItemAnnotations
  /** Objects that both states hold alike were left out of both. */
  has_others: boolean
  /** What the person decided where it clashed with another's change. */
  choice: 'ask' | 'mine' | 'theirs'
  /** The revision looked at when deciding. */
  seen: number | null
  shown: Shown | null
  at: number
}

/** Names of one tab's changes, never twice the same. Works without a secure context, where `crypto.randomUUID` is not to be had. */
export function nameMaker(): () => string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const client = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  let count = 0
  return () => `${client}-${++count}`
}

/** Equal whatever the order of keys; what is absent and what is null are one. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (one == null || other == null) return one == other
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((inner, index) => isAlike(inner, other[index]))
  if (typeof one !== 'object' || typeof other !== 'object' || Array.isArray(one) || Array.isArray(other)) return false
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isAlike(left[key], right[key]))
}

/** A step without the named objects that both states hold alike: with thousands of shapes a stroke stays small. A change of their order needs them all. */
export function trimmed(before: ItemAnnotations, after: ItemAnnotations): Pick<AnnotationOperation, 'before' | 'after' | 'has_others'> {
  if (!before || !after) return { before, after, has_others: false }
  const byId = new Map(after.flatMap((one) => (one.id == null ? [] : [[one.id, one] as const])))
  const parts = (annotations: Annotation[], id: string) => annotations.filter((one) => one.id === id)
  const alike = new Set([...byId.keys()].filter((id) => isAlike(parts(before, id), parts(after, id))))
  const order = (annotations: Annotation[]) => [...new Set(annotations.flatMap(({ id }) => (id != null && byId.has(id) ? [id] : [])))]
  const known = new Set(order(before))
  const isReordered = !isAlike(
    order(before),
    order(after).filter((id) => known.has(id)),
  )
  if (!alike.size || isReordered) return { before, after, has_others: false }
  const rest = (annotations: Annotation[]) => annotations.filter((one) => one.id == null || !alike.has(one.id))
  return { before: rest(before), after: rest(after), has_others: true }
}

/** The annotations once a step has been taken. */
export function applied(annotations: ItemAnnotations, step: Pick<AnnotationOperation, 'before' | 'after' | 'has_others'>): ItemAnnotations {
  if (!step.has_others) return step.after
  const touched = (one: Annotation) => (step.before ?? []).some((other) => (one.id == null ? isAlike(one, other) : one.id === other.id))
  const after = [...(step.after ?? [])]
  const result = (annotations ?? []).flatMap((one) => {
    if (!touched(one)) return [one]
    const own = after.filter((other) => other.id != null && other.id === one.id)
    for (const part of own) after.splice(after.indexOf(part), 1)
    return own
  })
  return [...result, ...after]
}

/** Several steps of one item as one: what was seen before the first, what was meant by the last. */
export function composed(steps: readonly AnnotationOperation[]): Pick<AnnotationOperation, 'before' | 'after' | 'has_others'> {
  const [first, ...later] = steps
  if (!first) return { before: null, after: null, has_others: false }
  return later.reduce<Pick<AnnotationOperation, 'before' | 'after' | 'has_others'>>((whole, step) => {
    if (!step.has_others) return { before: whole.before, after: step.after, has_others: false }
    const known = (one: Annotation) => (whole.after ?? []).some((other) => (one.id == null ? isAlike(one, other) : one.id === other.id))
    const unseen = (step.before ?? []).filter((one) => !known(one))
    return {
      before: [...(whole.before ?? []), ...unseen],
      after: applied([...(whole.after ?? []), ...unseen], step),
      has_others: whole.has_others,
    }
  }, first)
}

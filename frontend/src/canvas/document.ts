/** The objects of one picture, in order from the bottom to the top, changed by small operations only. */
import type { CanvasObject } from './object'

/** Top-level fields to set; null takes a field away. Two changes of one object merge when they name different fields. */
export type Patch = Readonly<Record<string, unknown>>

/**
 * One change, by object id, so that a journal can store it and another person's can be merged in.
 *
 * `above` names the object that the changed one stands right above; null is the bottom. When it is gone, the top is meant.
 */
export type Operation =
  | { type: 'add'; object: CanvasObject; above: string | null }
  | { type: 'update'; id: string; patch: Patch }
  | { type: 'remove'; id: string }
  | { type: 'reorder'; id: string; above: string | null }

export const idOf = (operation: Operation): string => (operation.type === 'add' ? operation.object.id : operation.id)

/** The fields in which two values of an object differ, as they are in `after`. */
export function patchBetween(before: CanvasObject, after: CanvasObject): Patch {
  const [old, now] = [before, after] as unknown as Record<string, unknown>[] as [Record<string, unknown>, Record<string, unknown>]
  const patch: Record<string, unknown> = {}
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!same(old[key], now[key])) patch[key] = now[key] ?? null
  }
  return patch
}

/** Whether two JSON values are equal. */
export const same = (one: unknown, other: unknown): boolean =>
  one === other || (one ?? null) === (other ?? null) || JSON.stringify(one) === JSON.stringify(other)

/** The operation as a person's word: what they make or change no longer bears a model's score. */
export function unscored(operation: Operation, before: CanvasObject | undefined): Operation {
  if (operation.type === 'add' && operation.object.score != null) {
    return { ...operation, object: { ...operation.object, score: null } }
  }
  if (operation.type !== 'update' || before?.score == null) return operation
  const fields = before as unknown as Record<string, unknown>
  const isChange = Object.entries(operation.patch).some(([key, value]) => !same(fields[key], value))
  return isChange ? { ...operation, patch: { ...operation.patch, score: null } } : operation
}

export class CanvasDocument {
  private readonly byId = new Map<string, CanvasObject>()
  private ids: string[] = []
  private places: Map<string, number> | null = null

  constructor(objects: readonly CanvasObject[] = []) {
    for (const object of objects) {
      this.byId.set(object.id, object)
      this.ids.push(object.id)
    }
  }

  /** Ids from the bottom to the top. */
  get order(): readonly string[] {
    return this.ids
  }

  get size(): number {
    return this.ids.length
  }

  get(id: string): CanvasObject | undefined {
    return this.byId.get(id)
  }

  objects(): CanvasObject[] {
    return this.ids.flatMap((id) => this.byId.get(id) ?? [])
  }

  /** Place in the order, 0 at the bottom; -1 when there is no such object. */
  place(id: string): number {
    this.places ??= new Map(this.ids.map((each, index) => [each, index]))
    return this.places.get(id) ?? -1
  }

  /** The object right below, or null. */
  below(id: string): string | null {
    return this.ids[this.place(id) - 1] ?? null
  }

  /** The object at the top, or null. */
  get top(): string | null {
    return this.ids.at(-1) ?? null
  }

  /** Makes the change and returns the one that takes it back; null when there was nothing to change. */
  apply(operation: Operation): Operation | null {
    switch (operation.type) {
      case 'add':
        return this.add(operation.object, operation.above)
      case 'update':
        return this.update(operation.id, operation.patch)
      case 'remove':
        return this.remove(operation.id)
      case 'reorder':
        return this.reorder(operation.id, operation.above)
    }
  }

  private add(object: CanvasObject, above: string | null): Operation | null {
    if (this.byId.has(object.id)) return null
    this.byId.set(object.id, object)
    this.insert(object.id, above)
    return { type: 'remove', id: object.id }
  }

  private update(id: string, patch: Patch): Operation | null {
    const before = this.byId.get(id)
    if (!before) return null
    const fields: Record<string, unknown> = { ...before }
    for (const [key, value] of Object.entries(patch)) {
      if (key === 'id' || key === 'kind') continue
      if (value === null) Reflect.deleteProperty(fields, key)
      else fields[key] = value
    }
    const after = fields as unknown as CanvasObject
    const back = patchBetween(after, before)
    if (Object.keys(back).length === 0) return null
    this.byId.set(id, after)
    return { type: 'update', id, patch: back }
  }

  private remove(id: string): Operation | null {
    const object = this.byId.get(id)
    if (!object) return null
    const above = this.below(id)
    this.byId.delete(id)
    this.ids = this.ids.filter((each) => each !== id)
    this.places = null
    return { type: 'add', object, above }
  }

  private reorder(id: string, above: string | null): Operation | null {
    if (!this.byId.has(id) || id === above) return null
    const old = this.below(id)
    const before = this.place(id)
    this.ids = this.ids.filter((each) => each !== id)
    this.insert(id, above)
    return this.place(id) === before ? null : { type: 'reorder', id, above: old }
  }

  private insert(id: string, above: string | null): void {
    const found = above === null ? -1 : this.ids.indexOf(above)
    const at = above !== null && found < 0 ? this.ids.length : found + 1
    this.ids = [...this.ids.slice(0, at), id, ...this.ids.slice(at)]
    this.places = null
  }
}

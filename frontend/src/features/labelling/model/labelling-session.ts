/**
 * The one-by-one editor without its looks: which item is shown, its annotations, undo, redo, and the way to the next one. It
 * hands every change to autosave at once. Items come either from a list (opened from the gallery) or from the server's queue of
 * what should be labelled next.
 */
import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item } from '../../../lib/api/types'
import { EMPTY, type History, pushed, redone, type HistoryStep as Turn, undone } from './history'
import { applied, type AnnotationOperation, type Shown } from './operation'
import { isSame, picked, annotationsOf } from './annotations-of'

type Step = Pick<AnnotationOperation, 'before' | 'after' | 'has_others'>

/** How many pictures beyond the present one are fetched ahead. */
export const AHEAD = 5
/** How many are named on each side. */
const AROUND = 12

export interface ItemSource {
  read: (ids: string[]) => Promise<Item[]>
  /** Leases items to label that are not among `skip`. */
  take: (skip: string[], count: number) => Promise<Item[]>
}

export interface LabellingOptions {
  source: ItemSource
  takesSeveral: boolean
  /** Keeps a change; it is among the pending ones at once. */
  save: (item: string, before: ItemAnnotations, after: ItemAnnotations, shown: Shown | null) => void
  /** Changes of an item that are not acknowledged, oldest first. */
  pending: (item: string) => readonly Step[]
  preload?: (item: Item) => void
}

export interface LabellingState {
  item: Item | null
  annotations: ItemAnnotations
  index: number
  num_items: number
  /** The next ones, as far as they are known. */
  ahead: readonly string[]
  /** Those before and after the present one, and itself; whether they are annotated, as far as that is known here. */
  around: readonly { id: string; isAnnotated: boolean }[]
  canUndo: boolean
  canRedo: boolean
  isLoading: boolean
  /** The end: nothing comes after what was shown. */
  isDone: boolean
  /** At the end: how many were shown and left without a word. */
  num_passed: number
  error: unknown
}

export class LabellingSession {
  #order: string[] = []
  #index = 0
  #items = new Map<string, Item>()
  #history: History = EMPTY
  #isFromList = false
  #isLoading = true
  #isExhausted = false
  #error: unknown = null
  #listeners = new Set<() => void>()
  #state: LabellingState | null = null
  #filling: Promise<void> | null = null

  constructor(private readonly options: LabellingOptions) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  state = (): LabellingState => (this.#state ??= this.#describe())

  /** Opens a list at an item, or the queue when there is none. */
  async open(list: readonly string[] | null, first: string | null): Promise<void> {
    this.#isFromList = list !== null
    this.#order = list ? [...list] : first ? [first] : []
    this.#index = Math.max(0, first ? this.#order.indexOf(first) : 0)
    await this.#fill()
  }

  /** Picks a label; `shown` is the suggestion in whose sight that happens. */
  pick(label: string, shown: Shown | null = null): void {
    this.#edit((before) => picked(before, label, this.options.takesSeveral), shown)
  }

  /** Says that none of the labels is right: looked at, and nothing is there. */
  pickNothing(shown: Shown | null = null): void {
    this.#edit(() => [], shown)
  }

  /** Takes back that anybody looked. */
  clear(): void {
    this.#edit(() => null)
  }

  accept(annotations: ItemAnnotations, shown: Shown | null = null): void {
    this.#edit(() => annotations, shown)
  }

  next(): void {
    if (this.#index < this.#order.length) this.#go(this.#index + 1)
  }

  previous(): void {
    if (this.#index > 0) this.#go(this.#index - 1)
  }

  /** Goes to one of those around. */
  visit(id: string): void {
    const index = this.#order.indexOf(id)
    if (index >= 0) this.#go(index)
  }

  undo(): void {
    this.#apply(undone(this.#history))
  }

  redo(): void {
    this.#apply(redone(this.#history))
  }

  /** Leaves out items that were dealt with elsewhere on the page, where they are still ahead. */
  passOver(ids: readonly string[]): void {
    const gone = new Set(ids)
    const ahead = this.#order.slice(this.#index).filter((id) => !gone.has(id))
    this.#order = [...this.#order.slice(0, this.#index), ...ahead]
    this.#changed()
    void this.#fill()
  }

  /** Goes once more through what was left without a word. */
  again(): void {
    const passed = this.#passed()
    if (passed.length === 0) return
    this.#order = [...this.#order.filter((id) => !passed.includes(id)), ...passed]
    this.#isExhausted = false
    this.#go(this.#order.length - passed.length)
  }

  /** The server's word on an item, after a save or a conflict. */
  received(item: Item): void {
    const known = this.#items.get(item.id)
    if (known && known.revision <= item.revision) this.#items.set(item.id, item)
    this.#changed()
  }

  /** Shows what the server holds of an item, e.g. because it would not take a change; where it cannot be asked, what is known of it. */
  async reread(id: string): Promise<void> {
    if (!this.#items.has(id)) return
    const found = await this.options.source.read([id]).catch(() => [])
    for (const item of found) this.received(item)
    this.#changed()
  }

  /** The annotations of the item before this one; null where there is none. */
  async previousAnnotations(): Promise<ItemAnnotations> {
    const id = this.#order[this.#index - 1]
    if (id === undefined) return null
    if (!this.#items.has(id)) this.#keep(await this.options.source.read([id]))
    const item = this.#items.get(id)
    return item ? this.#annotationsOf(item) : null
  }

  /** Items were added: at the end of the queue it goes on with them. */
  async added(): Promise<void> {
    await this.#filling // what is under way may have asked before they were there
    if (this.#isFromList || !this.state().isDone) return
    this.#isExhausted = false
    await this.#fill()
  }

  async retry(): Promise<void> {
    this.#error = null
    await this.#fill()
  }

  #edit(next: (before: ItemAnnotations) => ItemAnnotations, shown: Shown | null = null): void {
    const { item, annotations } = this.state()
    if (!item) return
    const after = next(annotations)
    if (isSame(annotations, after)) return
    this.#history = pushed(this.#history, { item: item.id, before: annotations, after })
    this.options.save(item.id, annotations, after, shown)
    this.#changed()
  }

  #apply(step: Turn | null): void {
    const item = step && this.#items.get(step.item)
    if (!step || !item) return
    this.#history = step.history
    const index = this.#order.indexOf(step.item)
    if (index >= 0) this.#index = index
    this.options.save(item.id, this.#annotationsOf(item), step.annotations, null)
    this.#changed()
  }

  /** What the server knows, and on top of it what it does not know yet. */
  #annotationsOf(item: Item): ItemAnnotations {
    return this.options.pending(item.id).reduce<ItemAnnotations>((annotations, step) => applied(annotations, step), annotationsOf(item))
  }

  #go(index: number): void {
    this.#index = index
    this.#changed()
    void this.#fill()
  }

  /** Fetches what is shown now and what comes next; a second call while one is under way joins it. */
  async #fill(): Promise<void> {
    this.#filling ??= this.#fetchAhead().finally(() => {
      this.#filling = null
      this.#changed()
    })
    await this.#filling
    if (this.#error === null && this.#isShort()) await this.#fill()
  }

  /** Whether something within reach is not here yet: who walks fast asks while a fetch is under way. */
  #isShort(): boolean {
    const near = this.#order.slice(this.#index, this.#index + AHEAD + 1)
    return near.some((id) => !this.#items.has(id)) || (near.length <= AHEAD && !this.#isFromList && !this.#isExhausted)
  }

  #isMissing(): boolean {
    const id = this.#order[this.#index]
    return id === undefined ? !this.#isFromList && !this.#isExhausted : !this.#items.has(id)
  }

  async #fetchAhead(): Promise<void> {
    this.#isLoading = this.#isMissing()
    this.#changed()
    try {
      const unread = this.#order.slice(this.#index, this.#index + AHEAD + 1).filter((id) => !this.#items.has(id))
      if (unread.length) {
        const read = await this.options.source.read(unread)
        this.#keep(read)
        this.#leaveOut(unread.filter((id) => !read.some((item) => item.id === id)))
      }
      const short = this.#index + AHEAD + 1 - this.#order.length
      if (!this.#isFromList && !this.#isExhausted && short > 0) await this.#take(short)
      this.#error = null
    } catch (error) {
      this.#error = error
    }
    this.#isLoading = false
  }

  async #take(count: number): Promise<void> {
    const items = await this.options.source.take(this.#order.slice(-500), count)
    const fresh = items.filter((item) => !this.#order.includes(item.id))
    this.#isExhausted = fresh.length === 0
    this.#keep(fresh)
    this.#order.push(...fresh.map((item) => item.id))
  }

  #keep(items: readonly Item[]): void {
    for (const item of items) {
      this.#items.set(item.id, item)
      this.options.preload?.(item)
    }
  }

  #passed(): string[] {
    return this.#order.slice(0, this.#index).filter((id) => {
      const item = this.#items.get(id)
      return item !== undefined && this.#annotationsOf(item) === null
    })
  }

  /** Items that are gone meanwhile. */
  #leaveOut(ids: readonly string[]): void {
    this.#order = this.#order.filter((id) => !ids.includes(id))
  }

  #describe(): LabellingState {
    const id = this.#order[this.#index]
    const item = id === undefined ? null : (this.#items.get(id) ?? null)
    const annotations = item ? this.#annotationsOf(item) : null
    const isDone = !item && !this.#isLoading && this.#error === null
    return {
      item,
      annotations,
      index: this.#index,
      num_items: this.#order.length,
      ahead: this.#order.slice(this.#index + 1, this.#index + AHEAD + 1),
      around: this.#order.slice(Math.max(0, this.#index - AROUND), this.#index + AROUND + 1).map((one) => {
        const known = this.#items.get(one)
        return { id: one, isAnnotated: known !== undefined && this.#annotationsOf(known) !== null }
      }),
      canUndo: this.#history.past.length > 0,
      canRedo: this.#history.future.length > 0,
      isLoading: this.#isLoading && !item,
      isDone,
      num_passed: isDone ? this.#passed().length : 0,
      error: this.#error,
    }
  }

  #changed(): void {
    this.#state = null
    for (const listener of this.#listeners) listener()
  }
}

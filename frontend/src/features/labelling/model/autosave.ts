/**
 * Keeps every change in the journal first, then sends what waits, in order and many at once, and reports how that goes. A
 * change counts as saved when the server has acknowledged it and not before. One tab sends for all; the others are notified. No React.
 */
import type { ItemAnnotations } from '../../../answers/annotations'
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import { type ChangeResult, Delivery, MAX_SENT, type SendOperations } from './delivery'
import type { Journal } from './journal'
import { applied, composed, nameMaker, type AnnotationOperation, type Shown, trimmed } from './operation'
import { Outbox } from './outbox'
import { annotationsOf } from './annotations-of'
import type { Message, Refusal, Tabs, Trouble } from './tabs'

export type { ChangeResult as Answer }

export interface Conflict {
  item: string
  mine: ItemAnnotations
  theirs: Item
}

export interface AutosaveState {
  /** `opening`: what an earlier visit left has not been looked up yet, so nobody knows. */
  kind: 'opening' | 'saved' | 'sending' | 'offline' | 'signed_out' | 'conflict'
  num_waiting: number
  conflict: Conflict | null
  /** Changes that the browser could not keep: they are lost if the page is closed now. */
  num_unkept: number
}

export interface AutosaveEvents {
  /** The server's word on an item, after a save or a conflict. */
  saved: (item: Item, isMerged: boolean) => void
  /** The server will never take it: the item is gone, the right is lost. */
  refused: (operation: AnnotationOperation, error: ApiError) => void
}

interface Options {
  journal: Journal
  tabs: Tabs
  send: SendOperations
  sleep?: (ms: number) => Promise<void>
  now?: () => number
  newOperation?: () => string
}

export class Autosave {
  readonly #outbox: Outbox
  readonly #delivery: Delivery
  /** Items that wait for a decision, as they are on the server. */
  #conflicts: Item[] = []
  #isOpening = true
  #trouble: Trouble = null
  #isLeading = false
  #stops: (() => void)[] = []
  #listeners = new Set<() => void>()
  #eventListeners = new Set<Partial<AutosaveEvents>>()
  #state: AutosaveState | null = null
  readonly #newOperation: () => string

  constructor(private readonly options: Options) {
    this.#outbox = new Outbox(options.journal)
    this.#newOperation = options.newOperation ?? nameMaker()
    this.#delivery = new Delivery({
      send: options.send,
      sleep: options.sleep,
      next: () => this.#next(),
      answered: (batch, answers) => this.#settle(batch, answers),
      refused: (batch, error) => this.#refuse(batch, error),
      trouble: (trouble) => this.#setTrouble(trouble),
      changed: () => this.#changed(),
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reports what becomes of changes; the function returned ends that. */
  onEvents(events: Partial<AutosaveEvents>): () => void {
    this.#eventListeners.add(events)
    return () => this.#eventListeners.delete(events)
  }

  state = (): AutosaveState => (this.#state ??= this.#describe())

  /** Takes up what earlier visits and other tabs left waiting, and begins to send. */
  async open(): Promise<void> {
    this.#delivery.open()
    this.#stops = [
      this.options.tabs.onMessage((message) => this.#receive(message)),
      this.options.tabs.lead(() => {
        this.#isLeading = true
        void this.#refresh().then(() => this.#delivery.run())
      }),
    ]
    await this.#refresh()
    this.#isOpening = false
    this.#changed()
  }

  /** Ends the sending here; what waits stays in the journal for another tab or the next visit. */
  close(): void {
    this.#isLeading = false
    this.#delivery.close()
    for (const stop of this.#stops.splice(0)) stop()
  }

  /** Keeps a change and sends it as soon as it can. */
  save(project: string, item: string, before: ItemAnnotations, after: ItemAnnotations, shown: Shown | null = null): void {
    this.saveAll([{ project, item, before, after, shown }])
  }

  /** Keeps many changes, all of them or none. */
  saveAll(
    changes: readonly { project: string; item: string; before: ItemAnnotations; after: ItemAnnotations; shown: Shown | null }[],
  ): void {
    const at = (this.options.now ?? Date.now)()
    const entries = changes.map(({ project, item, before, after, shown }): AnnotationOperation => {
      const step = trimmed(before, after)
      return { operation: this.#newOperation(), project, item, ...step, choice: 'ask', seen: null, shown, at }
    })
    const stored = this.#outbox.add(entries)
    this.#changed()
    void stored.then(() => this.#grown())
  }

  /** Items with something that is not acknowledged. */
  pendingItems(): string[] {
    return this.#outbox.items()
  }

  /** Changes of an item that are not acknowledged, oldest first. */
  pending(item: string): AnnotationOperation[] {
    return this.#outbox.of(item)
  }

  /** Ends a conflict: my word on top of theirs, or theirs with mine in the history. */
  async resolve(item: string, choice: 'mine' | 'theirs'): Promise<void> {
    const theirs = this.#conflicts.find((one) => one.id === item)
    const mine = this.pending(item)
    const [first] = mine
    if (!theirs || !first) return
    const decision: AnnotationOperation = { ...first, ...composed(mine), operation: this.#newOperation(), choice, seen: theirs.revision }
    this.#conflicts = this.#conflicts.filter((one) => one !== theirs)
    const stored = this.#outbox.replace(mine, decision)
    this.#changed()
    await stored
    this.options.tabs.post({ kind: 'resolved', item })
    this.#grown()
  }

  /** Tries again at once, e.g. because the network is back or somebody has signed in again. */
  nudge = (): void => {
    this.#delivery.hurry()
    if (!this.#isLeading) this.options.tabs.post({ kind: 'added' })
    this.#delivery.run()
  }

  #grown(): void {
    this.options.tabs.post({ kind: 'added' })
    this.#changed()
    this.#delivery.run()
  }

  async #refresh(): Promise<void> {
    await this.#outbox.refresh()
    this.#changed()
  }

  #receive(message: Message): void {
    if (message.kind === 'added') void this.#refresh().then(() => this.#delivery.run())
    if (message.kind === 'refused') this.#reportRefused(message.operation, message.refusal)
    if (message.kind === 'trouble') this.#trouble = message.trouble
    if (message.kind === 'conflict') this.#clash(message.theirs)
    if (message.kind === 'resolved') {
      this.#conflicts = this.#conflicts.filter((one) => one.id !== message.item)
      void this.#refresh().then(() => this.#delivery.run())
    }
    if (message.kind === 'done') {
      this.#outbox.remove(message.names)
      for (const item of message.items) this.#emit((listener) => listener.saved?.(item, false))
    }
    this.#changed()
  }

  /** The next changes to send; a tab that does not lead sends only what it could not put into the journal. */
  #next(): AnnotationOperation[] {
    return this.#outbox.next(new Set(this.#conflicts.map((one) => one.id)), !this.#isLeading, MAX_SENT)
  }

  async #refuse(batch: readonly AnnotationOperation[], error: ApiError): Promise<void> {
    await this.#acknowledge(
      batch.map((entry) => entry.operation),
      [],
    )
    for (const entry of batch) this.#broadcastRefused(entry, error)
  }

  async #settle(batch: readonly AnnotationOperation[], answers: readonly ChangeResult[]): Promise<void> {
    const through = answers.filter((answer) => answer.status !== 'conflict')
    const items = [...new Map(through.flatMap(({ item }) => (item ? [[item.id, item] as const] : []))).values()]
    const stored = this.#acknowledge(
      through.map((answer) => answer.operation),
      items,
    )
    // Reported in the same step in which they cease to wait: nobody sees the item without them.
    for (const { status, item } of through) if (item) this.#emit((listener) => listener.saved?.(item, status === 'merged'))
    await stored
    for (const { status, item, operation, refusal } of answers) {
      const entry = batch.find((one) => one.operation === operation)
      if (status === 'conflict' && item) {
        this.#clash(item)
        this.options.tabs.post({ kind: 'conflict', theirs: item })
      }
      if (status === 'refused' && entry && refusal) this.#broadcastRefused(entry, refusal)
    }
  }

  /** In every tab: the one that sends is seldom the one that is looked at. */
  #broadcastRefused(operation: AnnotationOperation, { code, title, detail, hint }: Refusal): void {
    this.#reportRefused(operation, { code, title, detail, hint })
    this.options.tabs.post({ kind: 'refused', operation, refusal: { code, title, detail, hint } })
  }

  #reportRefused(operation: AnnotationOperation, { code, title, detail, hint }: Refusal): void {
    const error = new ApiError(409, code, title, detail, hint)
    this.#emit((listener) => listener.refused?.(operation, error))
  }

  async #acknowledge(names: string[], items: Item[]): Promise<void> {
    await this.#outbox.acknowledge(names)
    this.#changed()
    this.options.tabs.post({ kind: 'done', names, items })
  }

  #clash(theirs: Item): void {
    this.#conflicts = [...this.#conflicts.filter((one) => one.id !== theirs.id), theirs]
    this.#changed()
  }

  #setTrouble(trouble: Trouble): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.options.tabs.post({ kind: 'trouble', trouble })
    this.#changed()
  }

  #emit(deliver: (listener: Partial<AutosaveEvents>) => void): void {
    for (const listener of this.#eventListeners) deliver(listener)
  }

  #describe(): AutosaveState {
    const theirs = this.#conflicts[0]
    const conflict = theirs ? { item: theirs.id, mine: this.#mine(theirs), theirs } : null
    return {
      kind: conflict ? 'conflict' : this.#progress(),
      num_waiting: this.#outbox.count,
      conflict,
      num_unkept: this.#outbox.num_unkept,
    }
  }

  /** The annotations if every waiting change went through. */
  #mine(theirs: Item): ItemAnnotations {
    return this.pending(theirs.id).reduce<ItemAnnotations>((annotations, step) => applied(annotations, step), annotationsOf(theirs))
  }

  #progress(): AutosaveState['kind'] {
    if (this.#outbox.count > 0) return this.#trouble ?? 'sending'
    return this.#isOpening ? 'opening' : 'saved'
  }

  #changed(): void {
    this.#state = null
    for (const listener of this.#listeners) listener()
  }
}

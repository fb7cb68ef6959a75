/**
 * Keeps every change in the journal first, then sends what waits, in order and many at once, and tells honestly how that goes. A
 * change counts as saved when the server has acknowledged it and not before. One tab sends for all; the others hear of it. No React.
 */
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import type { Journal } from './journal'
import { composed, nameMaker, type Operation, type Shown, trimmed } from './operation'
import { Outbox } from './outbox'
import type { Said } from './said'
import type { Message, Tabs, Trouble } from './tabs'

export interface Answer {
  operation: string
  status: 'saved' | 'merged' | 'conflict' | 'refused'
  item: Item | null
  refusal: { code: string; title: string; detail: string; hint: string } | null
}

export type SendOperations = (operations: Operation[]) => Promise<Answer[]>

export interface Conflict {
  item: string
  mine: Said
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
  refused: (operation: Operation, error: ApiError) => void
}

interface Options {
  journal: Journal
  tabs: Tabs
  send: SendOperations
  sleep?: (ms: number) => Promise<void>
  now?: () => number
  newOperation?: () => string
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000
const MAX_SENT = 100

export class Autosave {
  readonly #outbox: Outbox
  /** Items that wait for a decision, as they are on the server. */
  #conflicts: Item[] = []
  #isOpening = true
  #trouble: Trouble = null
  #isLeading = false
  #isRunning = false
  #isClosed = false
  #wake: (() => void) | null = null
  #stops: (() => void)[] = []
  #listeners = new Set<() => void>()
  #hearers = new Set<Partial<AutosaveEvents>>()
  #state: AutosaveState | null = null
  readonly #newOperation: () => string

  constructor(private readonly options: Options) {
    this.#outbox = new Outbox(options.journal)
    this.#newOperation = options.newOperation ?? nameMaker()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells what becomes of changes; the function returned ends that. */
  hear(events: Partial<AutosaveEvents>): () => void {
    this.#hearers.add(events)
    return () => this.#hearers.delete(events)
  }

  state = (): AutosaveState => (this.#state ??= this.#describe())

  /** Takes up what earlier visits and other tabs left waiting, and begins to send. */
  async open(): Promise<void> {
    this.#isClosed = false
    this.#stops = [
      this.options.tabs.hear((message) => this.#heard(message)),
      this.options.tabs.lead(() => {
        this.#isLeading = true
        void this.#refresh().then(() => this.#run())
      }),
    ]
    await this.#refresh()
    this.#isOpening = false
    this.#changed()
  }

  /** Ends the sending here; what waits stays in the journal for another tab or the next visit. */
  close(): void {
    this.#isClosed = true
    this.#isLeading = false
    this.#wake?.()
    for (const stop of this.#stops.splice(0)) stop()
  }

  /** Keeps a change and sends it as soon as it can. */
  say(project: string, item: string, before: Said, after: Said, shown: Shown | null = null): void {
    this.sayAll([{ project, item, before, after, shown }])
  }

  /** Keeps many changes, all of them or none. */
  sayAll(changes: readonly { project: string; item: string; before: Said; after: Said; shown: Shown | null }[]): void {
    const at = (this.options.now ?? Date.now)()
    const entries = changes.map(({ project, item, before, after, shown }): Operation => {
      const step = trimmed(before, after)
      return { operation: this.#newOperation(), project, item, ...step, choice: 'ask', seen: null, shown, at }
    })
    const kept = this.#outbox.add(entries)
    this.#changed()
    void kept.then(() => this.#grown())
  }

  /** Items with something that is not acknowledged. */
  pendingItems(): string[] {
    return this.#outbox.items()
  }

  /** What was said of an item and is not acknowledged, oldest first. */
  pending(item: string): Operation[] {
    return this.#outbox.of(item)
  }

  /** Ends a conflict: my word on top of theirs, or theirs with mine in the history. */
  async resolve(item: string, choice: 'mine' | 'theirs'): Promise<void> {
    const theirs = this.#conflicts.find((one) => one.id === item)
    const mine = this.pending(item)
    const [first] = mine
    if (!theirs || !first) return
    const decision: Operation = { ...first, ...composed(mine), operation: this.#newOperation(), choice, seen: theirs.revision }
    this.#conflicts = this.#conflicts.filter((one) => one !== theirs)
    const kept = this.#outbox.replace(mine, decision)
    this.#changed()
    await kept
    this.options.tabs.tell({ kind: 'resolved', item })
    this.#grown()
  }

  /** Tries again at once, e.g. because the network is back or somebody has signed in again. */
  nudge = (): void => {
    this.#wake?.()
    if (!this.#isLeading) this.options.tabs.tell({ kind: 'added' })
    this.#run()
  }

  #grown(): void {
    this.options.tabs.tell({ kind: 'added' })
    this.#changed()
    this.#run()
  }

  async #refresh(): Promise<void> {
    await this.#outbox.refresh()
    this.#changed()
  }

  #heard(message: Message): void {
    if (message.kind === 'added') void this.#refresh().then(() => this.#run())
    if (message.kind === 'trouble') this.#trouble = message.trouble
    if (message.kind === 'conflict') this.#clash(message.theirs)
    if (message.kind === 'resolved') {
      this.#conflicts = this.#conflicts.filter((one) => one.id !== message.item)
      void this.#refresh().then(() => this.#run())
    }
    if (message.kind === 'done') {
      this.#outbox.remove(message.names)
      for (const item of message.items) this.#emit((hearer) => hearer.saved?.(item, false))
    }
    this.#changed()
  }

  /** The next changes to send; a tab that does not lead sends only what it could not put into the journal. */
  #next(): Operation[] {
    return this.#outbox.next(new Set(this.#conflicts.map((one) => one.id)), !this.#isLeading, MAX_SENT)
  }

  #run(): void {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    void this.#sendAll().finally(() => {
      this.#isRunning = false
      this.#changed()
      if (this.#next().length) this.#run()
    })
  }

  async #sendAll(): Promise<void> {
    let wait_ms = FIRST_WAIT_MS
    let at_most = MAX_SENT
    for (let batch = this.#next(); batch.length && !this.#isClosed; batch = this.#next()) {
      const isThrough = await this.#sendSome(batch.slice(0, at_most))
      at_most = isThrough === 'too_many' ? 1 : MAX_SENT
      if (isThrough) {
        wait_ms = FIRST_WAIT_MS
        continue
      }
      await this.#pause(wait_ms)
      wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS)
    }
  }

  /** Whether these are done with: answered, or refused one by one. */
  async #sendSome(batch: readonly Operation[]): Promise<boolean | 'too_many'> {
    this.#changed()
    try {
      const answers = await this.options.send([...batch])
      this.#setTrouble(null)
      await this.#settle(batch, answers)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) {
        this.#setTrouble(error instanceof ApiError && error.status === 401 ? 'signed_out' : 'offline')
        return false
      }
      this.#setTrouble(null)
      if (batch.length > 1) return 'too_many'
      await this.#acknowledge(
        batch.map((entry) => entry.operation),
        [],
      )
      for (const entry of batch) this.#emit((hearer) => hearer.refused?.(entry, error))
      return true
    }
  }

  async #settle(batch: readonly Operation[], answers: readonly Answer[]): Promise<void> {
    const through = answers.filter((answer) => answer.status !== 'conflict')
    const items = [...new Map(through.flatMap(({ item }) => (item ? [[item.id, item] as const] : []))).values()]
    await this.#acknowledge(
      through.map((answer) => answer.operation),
      items,
    )
    for (const { status, item, operation, refusal } of answers) {
      const entry = batch.find((one) => one.operation === operation)
      if (status === 'conflict' && item) {
        this.#clash(item)
        this.options.tabs.tell({ kind: 'conflict', theirs: item })
      } else if (item) this.#emit((hearer) => hearer.saved?.(item, status === 'merged'))
      if (status === 'refused' && entry && refusal) {
        const error = new ApiError(409, refusal.code, refusal.title, refusal.detail, refusal.hint)
        this.#emit((hearer) => hearer.refused?.(entry, error))
      }
    }
  }

  async #acknowledge(names: string[], items: Item[]): Promise<void> {
    await this.#outbox.acknowledge(names)
    this.#changed()
    this.options.tabs.tell({ kind: 'done', names, items })
  }

  #clash(theirs: Item): void {
    this.#conflicts = [...this.#conflicts.filter((one) => one.id !== theirs.id), theirs]
    this.#changed()
  }

  #setTrouble(trouble: Trouble): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.options.tabs.tell({ kind: 'trouble', trouble })
    this.#changed()
  }

  #emit(tell: (hearer: Partial<AutosaveEvents>) => void): void {
    for (const hearer of this.#hearers) tell(hearer)
  }

  async #pause(ms: number): Promise<void> {
    const sleep = this.options.sleep ?? ((time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)))
    await Promise.race([sleep(ms), new Promise<void>((resolve) => (this.#wake = resolve))])
    this.#wake = null
  }

  #describe(): AutosaveState {
    const theirs = this.#conflicts[0]
    const conflict = theirs ? { item: theirs.id, mine: this.pending(theirs.id).at(-1)?.after ?? null, theirs } : null
    return {
      kind: conflict ? 'conflict' : this.#progress(),
      num_waiting: this.#outbox.count,
      conflict,
      num_unkept: this.#outbox.num_unkept,
    }
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

/** Whether the same request may be taken later. */
function isPassing({ status }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 429 || status === 408 || status === 401
}

/**
 * Sends what was said, one change after the other, and tells honestly how that goes. A change counts as saved when the server
 * has acknowledged it and not before; until then it lies in the journal. No React in it.
 */
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import type { Entry, Journal } from './journal'
import type { Said } from './said'

export type SendAnnotations = (entry: Entry) => Promise<{ item: Item; revision: number }>

export interface Conflict {
  item: string
  mine: Said
  theirs: Item
}

export interface AutosaveState {
  /** `opening`: what an earlier visit left has not been looked up yet, so nobody knows. */
  kind: 'opening' | 'saved' | 'sending' | 'offline' | 'conflict'
  num_waiting: number
  conflict: Conflict | null
}

interface Options {
  project: string
  journal: Journal
  send: SendAnnotations
  /** The server has it now. */
  onSaved?: (item: Item) => void
  /** The server will never take it: the item is gone, the right is lost. */
  onRefused?: (entry: Entry, error: unknown) => void
  sleep?: (ms: number) => Promise<void>
  now?: () => number
  newOperation?: () => string
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

export class Autosave {
  #entries: Entry[] = []
  #sending: Entry | null = null
  #conflicts: Conflict[] = []
  #isOpening = true
  #isOffline = false
  #isRunning = false
  #isClosed = false
  #wake: (() => void) | null = null
  /** The newest revision that the server told of each item. */
  #revisions = new Map<string, number>()
  #listeners = new Set<() => void>()
  #state: AutosaveState | null = null

  constructor(private readonly options: Options) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  state = (): AutosaveState => (this.#state ??= this.#describe())

  /** Takes up what an earlier visit left behind. Answers what was said there, by item. */
  async restore(): Promise<Map<string, Said>> {
    const left = await this.options.journal.all(this.options.project)
    const known = new Set(this.#entries.map((entry) => entry.item))
    this.#entries.unshift(...left.filter((entry) => !known.has(entry.item)))
    this.#isOpening = false
    this.#changed()
    void this.#run()
    return new Map(left.map((entry) => [entry.item, entry.said]))
  }

  /** Keeps a change and sends it as soon as it can. */
  say(item: string, said: Said, revision: number): void {
    const waiting = this.#entries.find((entry) => entry.item === item && entry !== this.#sending)
    const now = this.options.now ?? Date.now
    const operation = (this.options.newOperation ?? (() => crypto.randomUUID()))()
    const entry: Entry = waiting
      ? { ...waiting, operation, said }
      : { operation, project: this.options.project, item, said, revision: Math.max(revision, this.#revisions.get(item) ?? 0), at: now() }
    this.#entries = [...this.#entries.filter((one) => one !== waiting), entry]
    void this.#keep(entry, waiting)
    this.#changed()
    void this.#run()
  }

  /** What is said of an item but not saved yet; undefined when nothing waits. */
  waiting(item: string): Said | undefined {
    return this.#entries.findLast((entry) => entry.item === item)?.said
  }

  /** Ends a conflict: my word on top of theirs, or theirs as it is. */
  resolve(item: string, choice: 'mine' | 'theirs'): void {
    const conflict = this.#conflicts.find((one) => one.item === item)
    if (!conflict) return
    this.#conflicts = this.#conflicts.filter((one) => one !== conflict)
    this.#revisions.set(item, conflict.theirs.revision)
    if (choice === 'mine') this.say(item, conflict.mine, conflict.theirs.revision)
    else this.options.onSaved?.(conflict.theirs)
    this.#changed()
  }

  /** Tries again at once, e.g. because the browser says that the network is back. */
  nudge = (): void => {
    this.#wake?.()
    void this.#run()
  }

  /** Lets it send again after `close`. */
  open(): void {
    this.#isClosed = false
  }

  /** Ends the sending; what waits stays in the journal for the next visit. */
  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  async #run(): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    this.#isRunning = true
    let wait_ms = FIRST_WAIT_MS
    for (let entry = this.#entries[0]; entry && !this.#isClosed; entry = this.#entries[0]) {
      this.#sending = entry
      this.#changed()
      const isThrough = await this.#sendOne(entry)
      this.#sending = null
      if (isThrough) {
        wait_ms = FIRST_WAIT_MS
        continue
      }
      this.#changed()
      await this.#pause(wait_ms)
      wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS)
    }
    this.#isRunning = false
    this.#changed()
  }

  /** Whether the entry is done with: acknowledged, refused for good, or waiting for a person's decision. */
  async #sendOne(entry: Entry): Promise<boolean> {
    try {
      const { item, revision } = await this.options.send(entry)
      this.#isOffline = false
      this.#revisions.set(entry.item, revision)
      await this.#settle(entry, revision)
      this.options.onSaved?.(item)
      return true
    } catch (error) {
      if (isPassing(error)) {
        this.#isOffline = true
        return false
      }
      this.#isOffline = false
      const theirs = staleItem(error)
      const mine = this.waiting(entry.item) ?? null
      await this.#forget(theirs ? this.#entries.filter((one) => one.item === entry.item) : [entry])
      if (theirs) this.#conflicts = [...this.#conflicts, { item: entry.item, mine, theirs }]
      else this.options.onRefused?.(entry, error)
      return true
    }
  }

  /** Takes an acknowledged entry off; a later word on the same item stands on the new revision. */
  async #settle(entry: Entry, revision: number): Promise<void> {
    const later = this.#entries.find((one) => one.item === entry.item && one !== entry)
    if (later) {
      const moved = { ...later, revision }
      this.#entries = this.#entries.map((one) => (one === later ? moved : one))
      await this.options.journal.put(moved)
    }
    await this.#forget([entry])
  }

  async #forget(entries: Entry[]): Promise<void> {
    this.#entries = this.#entries.filter((one) => !entries.includes(one))
    for (const entry of entries) await this.options.journal.remove(entry.operation)
    this.#changed()
  }

  async #keep(entry: Entry, replaced: Entry | undefined): Promise<void> {
    await this.options.journal.put(entry)
    if (replaced) await this.options.journal.remove(replaced.operation)
  }

  async #pause(ms: number): Promise<void> {
    const sleep = this.options.sleep ?? ((time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)))
    await Promise.race([sleep(ms), new Promise<void>((resolve) => (this.#wake = resolve))])
    this.#wake = null
  }

  #describe(): AutosaveState {
    const num_waiting = this.#entries.length
    const conflict = this.#conflicts[0] ?? null
    return { kind: conflict ? 'conflict' : this.#progress(), num_waiting, conflict }
  }

  #progress(): AutosaveState['kind'] {
    if (this.#entries.length > 0) return this.#isOffline ? 'offline' : 'sending'
    return this.#isOpening ? 'opening' : 'saved'
  }

  #changed(): void {
    this.#state = null
    for (const listener of this.#listeners) listener()
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429 || error.status === 401)
}

function staleItem(error: unknown): Item | null {
  if (!(error instanceof ApiError) || error.code !== 'annotation_stale') return null
  return (error.extra.current as Item | undefined) ?? null
}

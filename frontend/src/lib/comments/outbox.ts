/**
 * Comments that the server has not acknowledged, and what is being typed. They lie in local storage: a comment is short, and what is
 * put there survives a reload, a crash and a day without network. Each has a name of its own, so that sending it twice creates one comment.
 */
import { ApiError } from '../api/errors'

export interface Unsent {
  operation: string
  item: string
  text: string
  at: number
  /** Why the server will not take it; it is not sent again by itself. */
  refusal?: ApiError
}

export interface OutboxState {
  unsent: readonly Unsent[]
  /** The browser would not keep some of them: they are lost when the page is closed. */
  isUnkept: boolean
}

type Send = (unsent: Unsent) => Promise<void>

const FIRST_RETRY_MS = 2000
const LAST_RETRY_MS = 30_000

/** Whether sending it later may help: no network, no session, too many, a server that is down. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
}

export class CommentOutbox {
  #listeners = new Set<() => void>()
  #entries = new Map<string, Unsent>()
  #unkept = new Set<string>()
  #state: OutboxState = { unsent: [], isUnkept: false }
  #isSending = false
  #wait_ms = FIRST_RETRY_MS
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly person: string,
    private readonly send: Send,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> = localStorage,
  ) {
    this.refresh()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getState = (): OutboxState => this.#state

  /** Keeps a comment, then sends it. */
  add(item: string, text: string): void {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const operation = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const entry = { operation, item, text, at: Date.now() }
    this.#entries.set(operation, entry)
    if (!this.#write(this.#key(operation), JSON.stringify(entry))) this.#unkept.add(operation)
    this.#changed()
    this.nudge()
  }

  /** Takes off what was not sent. */
  discard(operation: string): void {
    this.#entries.delete(operation)
    this.#unkept.delete(operation)
    this.#erase(this.#key(operation))
    this.#changed()
  }

  /** Reads what other tabs and earlier visits left. */
  refresh(): void {
    const kept = new Map<string, Unsent>()
    for (let index = 0; index < this.storage.length; index++) {
      const key = this.storage.key(index)
      if (!key?.startsWith(this.#key(''))) continue
      const entry = parsed(this.storage.getItem(key))
      if (entry) kept.set(entry.operation, this.#entries.get(entry.operation) ?? entry)
    }
    for (const operation of this.#unkept) {
      const entry = this.#entries.get(operation)
      if (entry) kept.set(operation, entry)
    }
    this.#entries = kept
    this.#changed()
  }

  /** Sends what waits, now. */
  nudge(): void {
    clearTimeout(this.#timer)
    if (!this.#isSending) void this.#sendAll()
  }

  /** Drafts, by the name of the field. */
  draft(field: string): string {
    return this.storage.getItem(this.#draftKey(field)) ?? ''
  }

  keepDraft(field: string, text: string): void {
    if (text) this.#write(this.#draftKey(field), text)
    else this.#erase(this.#draftKey(field))
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    let isStuck = false
    for (let entry = this.#next(); entry && !isStuck; entry = this.#next()) {
      try {
        await this.send(entry)
        this.discard(entry.operation)
        this.#wait_ms = FIRST_RETRY_MS
      } catch (error) {
        if (isPassing(error)) isStuck = true
        else if (this.#entries.has(entry.operation)) {
          this.#entries.set(entry.operation, { ...entry, refusal: error as ApiError })
          this.#changed()
        }
      }
    }
    this.#isSending = false
    if (!isStuck) return
    this.#timer = setTimeout(() => this.nudge(), this.#wait_ms)
    this.#wait_ms = Math.min(2 * this.#wait_ms, LAST_RETRY_MS)
  }

  #next(): Unsent | undefined {
    return this.#state.unsent.find((entry) => !entry.refusal)
  }

  #changed(): void {
    const unsent = [...this.#entries.values()].sort((one, other) => one.at - other.at)
    this.#state = { unsent, isUnkept: this.#unkept.size > 0 }
    this.#listeners.forEach((listener) => listener())
  }

  #write(key: string, text: string): boolean {
    try {
      this.storage.setItem(key, text)
      return true
    } catch {
      return false // full, or forbidden by the browser: the state shows it
    }
  }

  #erase(key: string): void {
    this.storage.removeItem(key)
  }

  #key(operation: string): string {
    return `modelyard-comment-${this.person}-${operation}`
  }

  #draftKey(field: string): string {
    return `modelyard-draft-${this.person}-${field}`
  }
}

function parsed(text: string | null): Unsent | null {
  try {
    const found = JSON.parse(text ?? '') as Partial<Unsent>
    const { operation, item, text: content, at } = found
    return operation && item && content ? { operation, item, text: content, at: at ?? 0 } : null
  } catch {
    return null
  }
}

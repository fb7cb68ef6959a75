/**
 * The tabs in which one person works: one of them sends at a time, all are notified of the result. Where the browser offers no
 * locks (a page that did not come by https), every tab sends; the server takes each change once in any case.
 */
import type { Item } from '../../../lib/api/types'
import type { AnnotationOperation } from './operation'

export type Message =
  /** The journal has grown, or a decision stands in it. */
  | { kind: 'added' }
  | { kind: 'done'; names: string[]; items: Item[] }
  | { kind: 'refused'; operation: AnnotationOperation; refusal: Refusal }
  | { kind: 'trouble'; trouble: Trouble }
  | { kind: 'conflict'; theirs: Item }
  | { kind: 'resolved'; item: string }

/** An error as it is posted to another tab. */
export type Refusal = Record<'code' | 'title' | 'detail' | 'hint', string>

export type Trouble = 'offline' | 'signed_out' | null

export interface Tabs {
  /** Calls when this tab is the one that sends; the function returned steps down. */
  lead: (start: () => void) => () => void
  post: (message: Message) => void
  onMessage: (listener: (message: Message) => void) => () => void
}

export function browserTabs(person: string): Tabs {
  const name = `modelyard-journal-${person}`
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return {
    lead: (start) => {
      const locks = (navigator as { locks?: LockManager }).locks
      if (!locks) {
        start()
        return () => undefined
      }
      const ended = new AbortController()
      const wait = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))
      const lead = () => {
        start()
        return wait
      }
      // Given up before it was our turn: nothing to do.
      locks.request(name, { signal: ended.signal }, lead).catch(() => undefined)
      return () => ended.abort()
    },
    post: (message) => channel?.postMessage(message),
    onMessage: (listener) => {
      const take = (event: MessageEvent<Message>) => listener(event.data)
      channel?.addEventListener('message', take)
      return () => channel?.removeEventListener('message', take)
    },
  }
}

/** The tabs of a test: all in one place. */
export class InMemoryTabs {
  #queue: { start: () => void }[] = []
  #listeners = new Map<object, Set<(message: Message) => void>>()

  tab(): Tabs {
    const self = {}
    const own = new Set<(message: Message) => void>()
    this.#listeners.set(self, own)
    return {
      lead: (start) => {
        const place = { start }
        this.#queue.push(place)
        if (this.#queue[0] === place) start()
        return () => {
          const wasFirst = this.#queue[0] === place
          this.#queue = this.#queue.filter((one) => one !== place)
          if (wasFirst) this.#queue[0]?.start()
        }
      },
      post: (message) => {
        for (const [other, listeners] of this.#listeners)
          if (other !== self) listeners.forEach((listener) => listener(structuredClone(message)))
      },
      onMessage: (listener) => {
        own.add(listener)
        return () => own.delete(listener)
      },
    }
  }
}

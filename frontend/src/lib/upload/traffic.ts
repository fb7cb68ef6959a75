/** How requests travel: few at a time, several things side by side, and with patience when the line breaks. */
import { ApiError } from '../api/errors'

export interface Clock {
  now: () => number
  sleep: (ms: number) => Promise<void>
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Browsers open six connections to a server; two are left for the page. */
const REQUESTS_AT_ONCE = 4
const MAX_TRIES = 6

export class Traffic {
  #requests = 0
  #queued: (() => void)[] = []

  constructor(private readonly clock: Clock = REAL_CLOCK) {}

  /** Tries again when that may help, after longer and longer waits. */
  async patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || attempt >= MAX_TRIES || !isTransient(error)) throw error
        await this.clock.sleep(500 * 2 ** (attempt - 1))
        signal.throwIfAborted()
      }
    }
  }

  /** Works on things side by side, a few ahead at most; the first failure stops the others and is thrown when they have ended. */
  async several<T>(
    signal: AbortSignal,
    things: AsyncIterable<T> | Iterable<T>,
    work: (thing: T, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const running = new Set<Promise<void>>()
    const failures: unknown[] = []
    const fail = (error: unknown) => {
      failures.push(error)
      stop.abort()
    }
    try {
      for await (const thing of things) {
        if (both.aborted) break
        const working = work(thing, both)
          .catch(fail)
          .finally(() => running.delete(working))
        running.add(working)
        if (running.size >= REQUESTS_AT_ONCE) await Promise.race(running)
      }
    } catch (error) {
      fail(error)
    }
    await Promise.all(running)
    if (failures.length) throw failures[0]
    signal.throwIfAborted()
  }

  /** Waits until one of the few requests that may be under way has ended. */
  async slot<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    while (this.#requests >= REQUESTS_AT_ONCE) await new Promise<void>((resolve) => this.#queued.push(resolve))
    this.#requests += 1
    try {
      signal.throwIfAborted()
      return await request()
    } finally {
      this.#requests -= 1
      this.#queued.shift()?.()
    }
  }
}

const INSUFFICIENT_STORAGE = 507

/** Lost connections, server faults, crossed parts and throttling pass; anything else, no room too, lasts until a person acts. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === INSUFFICIENT_STORAGE) return false
  return error.status === 0 || error.status >= 500 || error.status === 429 || error.code === 'upload_offset_mismatch'
}

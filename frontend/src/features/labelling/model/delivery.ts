/** Sends what waits, in order and many at once, with patience while the line or the server is away. No React, no journal. */
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import type { AnnotationOperation } from './operation'
import type { Refusal, Trouble } from './tabs'

export interface ChangeResult {
  operation: string
  status: 'saved' | 'merged' | 'conflict' | 'refused'
  item: Item | null
  refusal: Refusal | null
}

export type SendOperations = (operations: AnnotationOperation[]) => Promise<ChangeResult[]>

export const MAX_SENT = 100
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

interface Post {
  send: SendOperations
  sleep?: (ms: number) => Promise<void>
  /** The next changes to send, oldest first; none when all are sent. */
  next: () => AnnotationOperation[]
  answered: (batch: readonly AnnotationOperation[], answers: readonly ChangeResult[]) => Promise<void>
  /** The server will never take these as they are. */
  refused: (batch: readonly AnnotationOperation[], error: ApiError) => Promise<void>
  trouble: (trouble: Trouble) => void
  /** A request begins, or all are through. */
  changed: () => void
}

export class Delivery {
  #isRunning = false
  #isOpen = true
  #wake: (() => void) | null = null

  constructor(private readonly post: Post) {}

  open(): void {
    this.#isOpen = true
  }

  close(): void {
    this.#isOpen = false
    this.hurry()
  }

  /** Ends a wait before its time. */
  hurry(): void {
    this.#wake?.()
  }

  /** Sends until nothing is left to send; does nothing while it is at it. */
  run(): void {
    if (this.#isRunning || !this.#isOpen) return
    this.#isRunning = true
    void this.#sendAll().finally(() => {
      this.#isRunning = false
      this.post.changed()
      if (this.post.next().length) this.run()
    })
  }

  async #sendAll(): Promise<void> {
    let wait_ms = FIRST_WAIT_MS
    let at_most = MAX_SENT
    for (let batch = this.post.next(); batch.length && this.#isOpen; batch = this.post.next()) {
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
  async #sendSome(batch: readonly AnnotationOperation[]): Promise<boolean | 'too_many'> {
    this.post.changed()
    try {
      const answers = await this.post.send([...batch])
      this.post.trouble(null)
      await this.post.answered(batch, answers)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) {
        this.post.trouble(error instanceof ApiError && isSignedOut(error) ? 'signed_out' : 'offline')
        return false
      }
      this.post.trouble(null)
      if (batch.length > 1) return 'too_many'
      await this.post.refused(batch, error)
      return true
    }
  }

  async #pause(ms: number): Promise<void> {
    const sleep = this.post.sleep ?? ((time: number) => new Promise<void>((resolve) => setTimeout(resolve, time)))
    await Promise.race([sleep(ms), new Promise<void>((resolve) => (this.#wake = resolve))])
    this.#wake = null
  }
}

/** Whether signing in again is the cure: the session has ended, or its token is gone from the browser. */
function isSignedOut({ status, code }: ApiError): boolean {
  return status === 401 || code === 'csrf_failed'
}

/** Whether the same request may be taken later. */
function isPassing(error: ApiError): boolean {
  const { status } = error
  return status === 0 || status >= 500 || status === 429 || status === 408 || isSignedOut(error)
}

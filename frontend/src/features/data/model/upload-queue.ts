/**
 * Sends files in the background: small ones many in a request, large ones in parts, several requests at a time and never more. It
 * has no React in it and outlives the page that shows it. A drop of a hundred thousand small files is one transfer: only what is
 * on its way is held. `sender.ts` sends one transfer, `transfer.ts` defines what is shown of them.
 */
import type { IncomingFile } from '../../../lib/upload/incoming'
import { type Clock, REAL_CLOCK, Traffic } from '../../../lib/upload/traffic'
import { wayOf } from './incoming'
import { looseSource, type LabelSource } from './label-source'
import { RateMeter } from './rate-meter'
import { Sender } from './sender'
import { isOver, newTask, type QueueSnapshot, summaryOf, type Task, type Transport } from './transfer'

const TRANSFERS_AT_ONCE = 3
const NOTIFY_EACH_MS = 80

export class UploadQueue {
  #tasks: Task[] = []
  /** Those that wait, in their order; some may have been cancelled since. */
  #waiting = new Set<Task>()
  #nextId = 1
  #running = 0
  #isPaused = false
  #listeners = new Set<() => void>()
  #snapshot: QueueSnapshot | null = null
  #telling: ReturnType<typeof setTimeout> | null = null
  readonly #sender: Sender
  readonly #bytes: RateMeter
  readonly #files: RateMeter

  constructor(
    private readonly transport: Transport,
    private readonly onSettled: () => void = () => undefined,
    clock: Clock = REAL_CLOCK,
  ) {
    this.#bytes = new RateMeter(clock.now)
    this.#files = new RateMeter(clock.now)
    this.#sender = new Sender(transport, new Traffic(clock), (bytes, files) => {
      if (bytes) this.#bytes.add(bytes)
      if (files) this.#files.add(files)
      this.#changed()
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether progress is reported. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  snapshot = (): QueueSnapshot => (this.#snapshot ??= summaryOf(this.#tasks, this.#bytes.rate(), this.#files.rate()))

  /** Puts files into the queue. Files that systems leave behind are passed over. */
  add(files: readonly IncomingFile[], labels: LabelSource): void {
    this.#push(
      files.filter((one) => wayOf(one) === 'batch'),
      'batch',
      looseSource(labels),
    )
    for (const one of files) {
      const way = wayOf(one)
      if (way === 'labels_csv') this.#push([one], way, 'auto')
      else if (way === 'archive') this.#push([one], way, labels)
      else if (way === 'file') this.#push([one], way, looseSource(labels))
    }
    this.#pump()
  }

  pause(): void {
    this.#isPaused = true
    for (const task of this.#tasks) {
      if (task.state !== 'sending' && task.state !== 'waiting') continue
      task.state = 'paused'
      task.abort?.abort()
    }
    this.#waiting.clear()
    this.#bytes.reset()
    this.#files.reset()
    this.#changed()
  }

  resume(): void {
    this.#isPaused = false
    for (const task of this.#tasks) if (task.state === 'paused') this.#wait(task)
    this.#pump()
  }

  retry(id: number): void {
    const task = this.#tasks.find((one) => one.id === id && one.state === 'failed')
    if (!task) return
    task.error = null
    this.#wait(task)
    this.#pump()
  }

  /** Stops one transfer, or all of them. What the server has of an unfinished file is forgotten; pictures that arrived stay. */
  cancel(id?: number): void {
    for (const task of this.#tasks) {
      if ((id !== undefined && task.id !== id) || task.state === 'done' || task.state === 'cancelled') continue
      task.state = 'cancelled'
      task.abort?.abort()
      // The upload ages out on the server if this request does not arrive.
      if (task.upload) {
        const end = task.num_files_done > 0 ? this.transport.finish(task.upload, task.labels) : this.transport.drop(task.upload)
        end.catch(() => undefined)
      }
    }
    this.#changed()
  }

  /** Takes what has ended off the list. */
  clear(): void {
    this.#tasks = this.#tasks.filter((task) => !isOver(task.state))
    this.#changed()
  }

  #push(files: readonly IncomingFile[], kind: Task['kind'], labels: LabelSource): void {
    if (!files.length) return
    const task = newTask(this.#nextId++, files, kind, labels, 'paused')
    this.#tasks.push(task)
    if (!this.#isPaused) this.#wait(task)
  }

  #wait(task: Task): void {
    task.state = 'waiting'
    this.#waiting.add(task)
  }

  /** The next that may begin: none whose last attempt is still ending. */
  #next(): Task | undefined {
    for (const task of this.#waiting) {
      if (task.state === 'waiting' && task.abort !== null) continue
      this.#waiting.delete(task)
      if (task.state === 'waiting') return task
    }
    return undefined
  }

  #pump(): void {
    while (this.#running < TRANSFERS_AT_ONCE) {
      const task = this.#next()
      if (!task) break
      this.#running += 1
      task.state = 'sending'
      task.abort = new AbortController()
      void this.#run(task, task.abort.signal).finally(() => {
        this.#running -= 1
        task.abort = null
        this.#changed()
        this.#pump()
        if (this.#running === 0) this.onSettled()
      })
    }
    this.#changed()
  }

  async #run(task: Task, signal: AbortSignal): Promise<void> {
    try {
      await this.#sender.send(task, signal)
      if (!signal.aborted) task.state = 'done'
    } catch (error) {
      if (signal.aborted) return
      task.state = 'failed'
      task.error = error
    }
  }

  /** The value is new at once; listeners hear of it a few times a second, however fast things go. */
  #changed(): void {
    this.#snapshot = null
    if (this.#telling !== null) return
    this.#telling = setTimeout(() => {
      this.#telling = null
      for (const listener of this.#listeners) listener()
    }, NOTIFY_EACH_MS)
  }
}

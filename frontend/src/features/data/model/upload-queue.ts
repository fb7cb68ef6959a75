/**
 * Sends files in the background: many small ones together, large ones in parts that go on where they stopped. It has no React
 * in it and outlives the page that shows it. Several transfers run at once; the parts of one file go in order, since the
 * server appends them.
 */
import { ApiError } from '../../../lib/api/errors'
import { batches, wayOf, type IncomingFile } from './incoming'
import { RateMeter } from './rate-meter'

export type LabelSource = 'folder' | 'none' | 'csv'
export type TransferState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'cancelled'

export interface RemoteUpload {
  id: string
  received_bytes: number
  part_bytes: number
}

export interface BatchResult {
  path: string
  state: 'new' | 'duplicate' | 'unreadable'
}

/** The requests that the queue makes; the real ones are in `api/upload-transport.ts`. */
export interface Transport {
  batch(files: IncomingFile[], labels: LabelSource, signal: AbortSignal): Promise<BatchResult[]>
  /** Announces a file, or finds the upload of the same file that was broken off. */
  start(file: IncomingFile, kind: 'file' | 'archive' | 'labels_csv', labels: LabelSource): Promise<RemoteUpload>
  part(upload: string, offset: number, bytes: Blob, signal: AbortSignal): Promise<RemoteUpload>
  finish(upload: string, labels: LabelSource): Promise<void>
  drop(upload: string): Promise<void>
}

export interface Transfer {
  id: number
  name: string
  size_bytes: number
  sent_bytes: number
  state: TransferState
  error: unknown
  num_files: number
  num_duplicates: number
  num_unreadable: number
}

interface Task extends Transfer {
  files: IncomingFile[]
  kind: 'batch' | 'file' | 'archive' | 'labels_csv'
  labels: LabelSource
  upload: RemoteUpload | null
  abort: AbortController | null
}

export interface QueueSnapshot {
  transfers: Transfer[]
  size_bytes: number
  sent_bytes: number
  num_files: number
  num_files_done: number
  rate_bytes_s: number
  remaining_s: number | null
  is_active: boolean
  is_paused: boolean
}

interface Clock {
  now: () => number
  sleep: (ms: number) => Promise<void>
}

const CONCURRENCY = 3
const MAX_TRIES = 6
const REAL_CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }

export class UploadQueue {
  #tasks: Task[] = []
  #nextId = 1
  #running = 0
  #isPaused = false
  #listeners = new Set<() => void>()
  #snapshot: QueueSnapshot | null = null
  readonly #meter: RateMeter

  constructor(
    private readonly transport: Transport,
    private readonly onSettled: () => void = () => undefined,
    private readonly clock: Clock = REAL_CLOCK,
  ) {
    this.#meter = new RateMeter(clock.now)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): QueueSnapshot => (this.#snapshot ??= this.#summary())

  /** Puts files into the queue. Files that systems leave behind are passed over. */
  add(files: readonly IncomingFile[], labels: LabelSource): void {
    const small = files.filter((one) => wayOf(one) === 'batch')
    for (const group of batches(small)) this.#push(group, 'batch', labels)
    for (const one of files) {
      const way = wayOf(one)
      if (way === 'labels_csv') this.#push([one], way, 'csv')
      else if (way === 'file' || way === 'archive') this.#push([one], way, labels)
    }
    this.#changed()
    this.#pump()
  }

  pause(): void {
    this.#isPaused = true
    for (const task of this.#tasks) {
      if (task.state !== 'sending' && task.state !== 'waiting') continue
      task.state = 'paused'
      task.abort?.abort()
    }
    this.#meter.reset()
    this.#changed()
  }

  resume(): void {
    this.#isPaused = false
    for (const task of this.#tasks) if (task.state === 'paused') task.state = 'waiting'
    this.#changed()
    this.#pump()
  }

  retry(id: number): void {
    const task = this.#tasks.find((one) => one.id === id && one.state === 'failed')
    if (!task) return
    task.state = 'waiting'
    task.error = null
    this.#changed()
    this.#pump()
  }

  /** Stops one transfer, or all of them, and forgets what the server has of unfinished ones. */
  cancel(id?: number): void {
    for (const task of this.#tasks) {
      if ((id !== undefined && task.id !== id) || task.state === 'done' || task.state === 'cancelled') continue
      task.state = 'cancelled'
      task.abort?.abort()
      // The upload ages out on the server if this request does not arrive.
      if (task.upload) this.transport.drop(task.upload.id).catch(() => undefined)
    }
    this.#changed()
  }

  /** Takes what has ended off the list. */
  clear(): void {
    this.#tasks = this.#tasks.filter((task) => !isOver(task.state))
    this.#changed()
  }

  #push(files: IncomingFile[], kind: Task['kind'], labels: LabelSource): void {
    const first = files[0]
    if (!first) return
    this.#tasks.push({
      id: this.#nextId++,
      name: first.path,
      size_bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      sent_bytes: 0,
      state: this.#isPaused ? 'paused' : 'waiting',
      error: null,
      num_files: files.length,
      num_duplicates: 0,
      num_unreadable: 0,
      files,
      kind,
      labels,
      upload: null,
      abort: null,
    })
  }

  #pump(): void {
    while (this.#running < CONCURRENCY) {
      const task = this.#tasks.find((one) => one.state === 'waiting' && one.abort === null)
      if (!task) return
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
    for (let attempt = 1; ; attempt++) {
      try {
        await (task.kind === 'batch' ? this.#sendBatch(task, signal) : this.#sendParts(task, task.kind, signal))
        if (!signal.aborted) task.state = 'done'
        return
      } catch (error) {
        if (signal.aborted) return
        if (attempt >= MAX_TRIES || !isTransient(error)) {
          task.state = 'failed'
          task.error = error
          return
        }
        await this.clock.sleep(500 * 2 ** (attempt - 1))
        if (signal.aborted) return
      }
    }
  }

  async #sendBatch(task: Task, signal: AbortSignal): Promise<void> {
    const results = await this.transport.batch(task.files, task.labels, signal)
    task.num_duplicates = results.filter(({ state }) => state === 'duplicate').length
    task.num_unreadable = results.filter(({ state }) => state === 'unreadable').length
    this.#sent(task, task.size_bytes)
  }

  async #sendParts(task: Task, kind: 'file' | 'archive' | 'labels_csv', signal: AbortSignal): Promise<void> {
    const [incoming] = task.files
    if (!incoming) return
    // Asking again tells how much had arrived when the last attempt broke off.
    const upload = await this.transport.start(incoming, kind, task.labels)
    task.upload = upload
    let offset = upload.received_bytes
    task.sent_bytes = offset
    while (offset < incoming.file.size && !signal.aborted) {
      const bytes = incoming.file.slice(offset, offset + upload.part_bytes)
      offset = (await this.transport.part(upload.id, offset, bytes, signal)).received_bytes
      this.#sent(task, offset)
    }
    if (signal.aborted) return
    await this.transport.finish(upload.id, task.labels)
    task.upload = null
  }

  #sent(task: Task, bytes: number): void {
    this.#meter.add(bytes - task.sent_bytes)
    task.sent_bytes = bytes
    this.#changed()
  }

  #summary(): QueueSnapshot {
    const live = this.#tasks.filter((task) => task.state !== 'cancelled')
    const sum = (of: (task: Task) => number) => live.reduce((total, task) => total + of(task), 0)
    const size_bytes = sum((task) => task.size_bytes)
    const sent_bytes = sum((task) => task.sent_bytes)
    const rate_bytes_s = this.#meter.rate()
    const is_active = live.some((task) => task.state === 'waiting' || task.state === 'sending')
    return {
      transfers: this.#tasks.map((task) => ({ ...task })),
      size_bytes,
      sent_bytes,
      num_files: sum((task) => task.num_files),
      num_files_done: sum((task) => (task.state === 'done' ? task.num_files : 0)),
      rate_bytes_s,
      remaining_s: is_active && rate_bytes_s > 0 ? (size_bytes - sent_bytes) / rate_bytes_s : null,
      is_active,
      is_paused: this.#isPaused && live.some((task) => task.state === 'paused'),
    }
  }

  #changed(): void {
    this.#snapshot = null
    for (const listener of this.#listeners) listener()
  }
}

function isOver(state: TransferState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

/** Lost connections, server faults, crossed parts and throttling pass; anything else was refused for good. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status >= 500 || error.status === 429 || error.code === 'upload_offset_mismatch'
}

/**
 * Sends files in the background: small ones many in a request, large ones in parts, several requests at a time and never more. It
 * has no React in it and outlives the page that shows it. A drop of a hundred thousand small files is one transfer: only what is
 * on its way is held, and before sending the server is asked what it has, so that a drop after a crash sends the rest only.
 */
import { batches, titleOf, wayOf, type IncomingFile } from './incoming'
import { looseSource, type LabelSource } from './label-source'
import { portionsOf, sha256Of } from './known'
import { RateMeter } from './rate-meter'
import { type Clock, REAL_CLOCK, Traffic } from './traffic'

export type { LabelSource }
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

export interface Fingerprint {
  path: string
  sha256: string
}

/** The requests that the queue makes; the real ones are in `api/upload-transport.ts`. */
export interface Transport {
  /** Opens an upload of many small files, or finds the one of the same name that was broken off; gives its id. */
  open(name: string, size_bytes: number): Promise<string>
  /** Places of the files that would bring nothing new. */
  known(files: Fingerprint[], labels: LabelSource, signal: AbortSignal): Promise<number[]>
  batch(upload: string, files: IncomingFile[], labels: LabelSource, signal: AbortSignal): Promise<BatchResult[]>
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
  num_files_done: number
  /** Not sent, since the server had them. */
  num_known: number
  num_duplicates: number
  num_unreadable: number
}

interface Task extends Transfer {
  files: IncomingFile[]
  kind: 'batch' | 'file' | 'archive' | 'labels_csv'
  labels: LabelSource
  upload: string | null
  abort: AbortController | null
}

export interface QueueSnapshot {
  transfers: Transfer[]
  size_bytes: number
  sent_bytes: number
  num_files: number
  num_files_done: number
  rate_bytes_s: number
  rate_files_s: number
  remaining_s: number | null
  is_active: boolean
  is_paused: boolean
}

const TRANSFERS_AT_ONCE = 3
const TELL_EACH_MS = 80

export class UploadQueue {
  #tasks: Task[] = []
  #nextId = 1
  #running = 0
  #isPaused = false
  #listeners = new Set<() => void>()
  #snapshot: QueueSnapshot | null = null
  #telling: ReturnType<typeof setTimeout> | null = null
  readonly #traffic: Traffic
  readonly #bytes: RateMeter
  readonly #files: RateMeter

  constructor(
    private readonly transport: Transport,
    private readonly onSettled: () => void = () => undefined,
    clock: Clock = REAL_CLOCK,
  ) {
    this.#traffic = new Traffic(clock)
    this.#bytes = new RateMeter(clock.now)
    this.#files = new RateMeter(clock.now)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): QueueSnapshot => (this.#snapshot ??= this.#summary())

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
    this.#bytes.reset()
    this.#files.reset()
    this.#changed()
  }

  resume(): void {
    this.#isPaused = false
    for (const task of this.#tasks) if (task.state === 'paused') task.state = 'waiting'
    this.#pump()
  }

  retry(id: number): void {
    const task = this.#tasks.find((one) => one.id === id && one.state === 'failed')
    if (!task) return
    task.state = 'waiting'
    task.error = null
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

  #push(files: IncomingFile[], kind: Task['kind'], labels: LabelSource): void {
    if (!files.length) return
    this.#tasks.push({
      id: this.#nextId++,
      name: titleOf(files),
      size_bytes: files.reduce((sum, { file }) => sum + file.size, 0),
      sent_bytes: 0,
      state: this.#isPaused ? 'paused' : 'waiting',
      error: null,
      num_files: files.length,
      num_files_done: 0,
      num_known: 0,
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
    while (this.#running < TRANSFERS_AT_ONCE) {
      const task = this.#tasks.find((one) => one.state === 'waiting' && one.abort === null)
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
      const { kind } = task
      await (kind === 'batch' ? this.#sendMany(task, signal) : this.#traffic.patiently(signal, () => this.#sendParts(task, kind, signal)))
      if (!signal.aborted) task.state = 'done'
    } catch (error) {
      if (signal.aborted) return
      task.state = 'failed'
      task.error = error
    }
  }

  async #sendMany(task: Task, signal: AbortSignal): Promise<void> {
    Object.assign(task, { sent_bytes: 0, num_files_done: 0, num_known: 0, num_duplicates: 0, num_unreadable: 0 })
    const upload = await this.#traffic.patiently(signal, () => this.transport.open(task.name, task.size_bytes))
    task.upload = upload
    await this.#traffic.several(signal, this.#batchesToSend(task, signal), async (files, both) => {
      const results = await this.#traffic.patiently(both, () =>
        this.#traffic.slot(both, () => this.transport.batch(upload, files, task.labels, both)),
      )
      task.num_duplicates += results.filter(({ state }) => state === 'duplicate').length
      task.num_unreadable += results.filter(({ state }) => state === 'unreadable').length
      this.#sent(task, files)
    })
    await this.#traffic.patiently(signal, () => this.transport.finish(upload, task.labels))
    task.upload = null
  }

  async *#batchesToSend(task: Task, signal: AbortSignal): AsyncGenerator<IncomingFile[]> {
    for (const some of portionsOf(task.files)) {
      const prints = await Promise.all(some.map(async ({ file, path }) => ({ path, sha256: await sha256Of(file) })))
      signal.throwIfAborted()
      const known = new Set(await this.#traffic.patiently(signal, () => this.transport.known(prints, task.labels, signal)))
      const old = some.filter((_, place) => known.has(place))
      task.num_known += old.length
      if (old.length) this.#sent(task, old)
      yield* batches(some.filter((_, place) => !known.has(place)))
    }
  }

  async #sendParts(task: Task, kind: 'file' | 'archive' | 'labels_csv', signal: AbortSignal): Promise<void> {
    const [incoming] = task.files
    if (!incoming) return
    // Asking again tells how much had arrived when the last attempt broke off.
    const upload = await this.transport.start(incoming, kind, task.labels)
    task.upload = upload.id
    task.sent_bytes = upload.received_bytes
    await this.#traffic.several(signal, offsets(upload, incoming.file.size), async (offset, both) => {
      const bytes = incoming.file.slice(offset, offset + upload.part_bytes)
      await this.#traffic.slot(both, () => this.transport.part(upload.id, offset, bytes, both))
      task.sent_bytes += bytes.size
      this.#bytes.add(bytes.size)
      this.#changed()
    })
    signal.throwIfAborted()
    await this.transport.finish(upload.id, task.labels)
    task.upload = null
    task.num_files_done = 1
    this.#files.add(1)
  }

  #sent(task: Task, files: readonly IncomingFile[]): void {
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
    task.sent_bytes += bytes
    task.num_files_done += files.length
    this.#bytes.add(bytes)
    this.#files.add(files.length)
    this.#changed()
  }

  #summary(): QueueSnapshot {
    const live = this.#tasks.filter((task) => task.state !== 'cancelled')
    const sum = (of: (task: Task) => number) => live.reduce((total, task) => total + of(task), 0)
    const num_files = sum((task) => task.num_files)
    const num_files_done = sum((task) => task.num_files_done)
    const size_bytes = sum((task) => task.size_bytes)
    const sent_bytes = sum((task) => task.sent_bytes)
    const is_active = live.some((task) => task.state === 'waiting' || task.state === 'sending')
    const rate_bytes_s = this.#bytes.rate()
    const rate_files_s = this.#files.rate()
    // Many small files cost by the file, few large ones by the byte: the longer of both is the better guess.
    const left = [
      rate_bytes_s > 0 ? (size_bytes - sent_bytes) / rate_bytes_s : 0,
      rate_files_s > 0 ? (num_files - num_files_done) / rate_files_s : 0,
    ]
    return {
      transfers: this.#tasks.map(shown),
      size_bytes,
      sent_bytes,
      num_files,
      num_files_done,
      rate_bytes_s,
      rate_files_s,
      remaining_s: is_active && rate_bytes_s > 0 ? Math.max(...left) : null,
      is_active,
      is_paused: this.#isPaused && live.some((task) => task.state === 'paused'),
    }
  }

  /** The value is new at once; listeners hear of it a few times a second, however fast things go. */
  #changed(): void {
    this.#snapshot = null
    if (this.#telling !== null) return
    this.#telling = setTimeout(() => {
      this.#telling = null
      for (const listener of this.#listeners) listener()
    }, TELL_EACH_MS)
  }
}

function shown(task: Task): Transfer {
  const { id, name, size_bytes, sent_bytes, state, error, num_files, num_files_done, num_known, num_duplicates, num_unreadable } = task
  return { id, name, size_bytes, sent_bytes, state, error, num_files, num_files_done, num_known, num_duplicates, num_unreadable }
}

function* offsets(upload: RemoteUpload, size_bytes: number): Generator<number> {
  for (let offset = upload.received_bytes; offset < size_bytes; offset += upload.part_bytes) yield offset
}

function isOver(state: TransferState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

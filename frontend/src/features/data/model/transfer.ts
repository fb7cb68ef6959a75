/** The state of the upload queue: transfers, the requests they need, and where they stand together. */
import type { IncomingFile, TableOptions } from '../../../lib/upload/incoming'
import { folderLabels, titleOf } from './incoming'
import type { LabelSource } from './label-source'

export type TransferState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'cancelled'

export interface RemoteUpload {
  id: string
  received_bytes: number
  part_bytes: number
}

export interface BatchResult {
  path: string
  item: string | null
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
  /** `first` is the place of the first of the files in the whole transfer. */
  batch(upload: string, files: IncomingFile[], first: number, labels: LabelSource, signal: AbortSignal): Promise<BatchResult[]>
  /** Announces a file, or finds the upload of the same file that was broken off. */
  start(file: IncomingFile, kind: 'file' | 'archive' | 'labels_csv', labels: LabelSource): Promise<RemoteUpload>
  part(upload: string, offset: number, bytes: Blob, signal: AbortSignal): Promise<RemoteUpload>
  finish(upload: string, labels: LabelSource, table?: TableOptions): Promise<void>
  drop(upload: string): Promise<void>
}

export interface Transfer {
  readonly id: number
  readonly name: string
  readonly size_bytes: number
  sent_bytes: number
  state: TransferState
  error: unknown
  readonly num_files: number
  num_files_done: number
  /** Not sent, since the server had them. */
  num_known: number
  num_duplicates: number
  num_unreadable: number
  /** The upload on the server, once all of it was sent; a job may be reading it still. */
  finished: string | null
  readonly labels: LabelSource
  /** First folders of the paths: the labels, where they are taken for that. */
  readonly folders: readonly string[]
  /** What came of loose files. */
  readonly items: string[]
}

export interface Task extends Transfer {
  readonly files: readonly IncomingFile[]
  readonly kind: 'batch' | 'file' | 'archive' | 'labels_csv'
  upload: string | null
  abort: AbortController | null
}

/** Sums over the transfers that were not cancelled. */
export interface Sums {
  size_bytes: number
  sent_bytes: number
  num_files: number
  num_files_done: number
  num_known: number
  num_duplicates: number
  num_unreadable: number
}

export interface QueueSnapshot extends Sums {
  transfers: readonly Readonly<Transfer>[]
  rate_bytes_s: number
  rate_files_s: number
  remaining_s: number | null
  is_active: boolean
  is_paused: boolean
}

export function newTask(id: number, files: readonly IncomingFile[], kind: Task['kind'], labels: LabelSource, state: TransferState): Task {
  return {
    id,
    name: titleOf(files),
    size_bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    sent_bytes: 0,
    state,
    error: null,
    num_files: files.length,
    num_files_done: 0,
    num_known: 0,
    num_duplicates: 0,
    num_unreadable: 0,
    finished: null,
    labels,
    folders: folderLabels(files),
    items: [],
    files,
    kind,
    upload: null,
    abort: null,
  }
}

/** Where the transfers stand together; one pass, since there may be a hundred thousand of them. */
export function summaryOf(tasks: readonly Task[], rate_bytes_s: number, rate_files_s: number): QueueSnapshot {
  const sums: Sums = {
    size_bytes: 0,
    sent_bytes: 0,
    num_files: 0,
    num_files_done: 0,
    num_known: 0,
    num_duplicates: 0,
    num_unreadable: 0,
  }
  let is_active = false
  let is_paused = false
  for (const task of tasks) {
    if (task.state === 'cancelled') continue
    for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] += task[name]
    is_active ||= task.state === 'waiting' || task.state === 'sending'
    is_paused ||= task.state === 'paused'
  }
  // Many small files cost by the file, few large ones by the byte: the longer of both is the better guess.
  const left = [
    rate_bytes_s > 0 ? (sums.size_bytes - sums.sent_bytes) / rate_bytes_s : 0,
    rate_files_s > 0 ? (sums.num_files - sums.num_files_done) / rate_files_s : 0,
  ]
  return {
    ...sums,
    transfers: [...tasks],
    rate_bytes_s,
    rate_files_s,
    remaining_s: is_active && rate_bytes_s > 0 ? Math.max(...left) : null,
    is_active,
    is_paused,
  }
}

/** Transfers that are not done, those first that need attention. */
export function openTransfers(transfers: readonly Readonly<Transfer>[]): Readonly<Transfer>[] {
  const found: Record<Exclude<TransferState, 'done'>, Readonly<Transfer>[]> = {
    failed: [],
    sending: [],
    paused: [],
    waiting: [],
    cancelled: [],
  }
  for (const one of transfers) if (one.state !== 'done') found[one.state].push(one)
  return [found.failed, found.sending, found.paused, found.waiting, found.cancelled].flat()
}

export function isOver(state: TransferState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

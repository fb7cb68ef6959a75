/** A server of uploads in memory, for tests: it takes parts in any order and refuses those that it has, as the real one does. */
import { ApiError } from '../../../lib/api/errors'
import type { BatchResult, Fingerprint, RemoteUpload, Transport } from './transfer'

const PART_BYTES = 4

export class InMemoryTransport implements Transport {
  received = new Map<string, number>()
  /** Parts that came ahead of their turn. */
  ahead = new Map<string, Map<number, number>>()
  opened: string[] = []
  requests: string[][] = []
  /** Paths of files that are there. */
  items = new Set<string>()
  finished: string[] = []
  dropped: string[] = []
  batched: string[][] = []
  /** Places of the first files of these. */
  firsts: number[] = []
  parts: string[] = []
  inFlight = 0
  mostInFlight = 0
  /** Called before each request is answered; throw to refuse it. */
  before: (request: string) => void | Promise<void> = () => undefined

  async open(name: string): Promise<string> {
    await this.#answer('open')
    if (!this.opened.includes(name)) this.opened.push(name)
    return name
  }

  async known(files: Fingerprint[], _labels: string, signal: AbortSignal): Promise<number[]> {
    await this.#answer('known', signal)
    this.requests.push(files.map(({ path }) => path))
    return files.flatMap(({ path }, place) => (this.items.has(path) ? [place] : []))
  }

  async batch(_upload: string, files: { path: string }[], first: number, _labels: string, signal: AbortSignal): Promise<BatchResult[]> {
    await this.#answer('batch', signal)
    for (const { path } of files) if (!path.startsWith('broken')) this.items.add(path)
    this.batched.push(files.map(({ path }) => path))
    this.firsts.push(first)
    return files.map(({ path }) => ({
      path,
      item: path.startsWith('broken') ? null : `itm_${path}`,
      state: path.startsWith('broken') ? 'unreadable' : path.startsWith('twin') ? 'duplicate' : 'new',
    }))
  }

  async start({ path }: { path: string }): Promise<RemoteUpload> {
    await this.#answer('start')
    if (!this.received.has(path)) this.received.set(path, 0)
    return this.#upload(path)
  }

  async part(upload: string, offset: number, bytes: Blob, signal: AbortSignal): Promise<RemoteUpload> {
    await this.#answer('part', signal)
    let received_bytes = this.received.get(upload) ?? 0
    if (offset < received_bytes) throw new ApiError(409, 'upload_offset_mismatch', '', '', '', {}, { received_bytes })
    const ahead = this.ahead.get(upload) ?? new Map<number, number>()
    this.ahead.set(upload, ahead.set(offset, bytes.size))
    for (let size = ahead.get(received_bytes); size; size = ahead.get(received_bytes)) {
      ahead.delete(received_bytes)
      received_bytes += size
    }
    this.received.set(upload, received_bytes)
    this.parts.push(`${upload}@${offset}`)
    return this.#upload(upload)
  }

  async finish(upload: string): Promise<void> {
    await this.#answer('finish')
    this.finished.push(upload)
  }

  async drop(upload: string): Promise<void> {
    this.dropped.push(upload)
    this.received.delete(upload)
    return Promise.resolve()
  }

  #upload(id: string): RemoteUpload {
    return { id, received_bytes: this.received.get(id) ?? 0, part_bytes: PART_BYTES }
  }

  async #answer(request: string, signal?: AbortSignal): Promise<void> {
    this.inFlight += 1
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    try {
      await this.before(request)
      await new Promise((resolve) => setTimeout(resolve))
      if (signal?.aborted) throw new DOMException('aborted', 'AbortError')
    } finally {
      this.inFlight -= 1
    }
  }
}

/**
 * Brings one transfer to the server: small files many in a request, large ones in parts. Before sending many files the server is
 * asked what it has of them, so that a drop after a crash sends the rest only.
 */
import type { IncomingFile } from '../../../lib/upload/incoming'
import { sendParts } from '../../../lib/upload/send-parts'
import type { Traffic } from '../../../lib/upload/traffic'
import { batches } from './incoming'
import { portionsOf, sha256Of } from './known'
import type { Task, Transport } from './transfer'

export class Sender {
  constructor(
    private readonly transport: Transport,
    private readonly traffic: Traffic,
    /** Hears of each step: bytes that travelled, files that are through. */
    private readonly onSent: (bytes: number, files: number) => void,
  ) {}

  /** Ends when the server has all of it; throws when it was refused or the signal fell. */
  async send(task: Task, signal: AbortSignal): Promise<void> {
    const { kind } = task
    await (kind === 'batch' ? this.#sendMany(task, signal) : this.traffic.patiently(signal, () => this.#sendParts(task, kind, signal)))
  }

  async #sendMany(task: Task, signal: AbortSignal): Promise<void> {
    Object.assign(task, { sent_bytes: 0, num_files_done: 0, num_known: 0, num_duplicates: 0, num_unreadable: 0 })
    const upload = await this.traffic.patiently(signal, () => this.transport.open(task.name, task.size_bytes))
    task.upload = upload
    await this.traffic.several(signal, this.#batchesToSend(task, signal), async ({ files, first }, both) => {
      const results = await this.traffic.patiently(both, () =>
        this.traffic.slot(both, () => this.transport.batch(upload, files, first, task.labels, both)),
      )
      task.num_duplicates += results.filter(({ state }) => state === 'duplicate').length
      task.num_unreadable += results.filter(({ state }) => state === 'unreadable').length
      for (const { item, state } of results) if (item !== null && state === 'new') task.items.push(item)
      this.#through(task, files)
    })
    await this.traffic.patiently(signal, () => this.transport.finish(upload, task.labels))
    task.finished = upload
    task.upload = null
  }

  /** What the server does not have, with the place of each batch, since they travel side by side. */
  async *#batchesToSend(task: Task, signal: AbortSignal): AsyncGenerator<{ files: IncomingFile[]; first: number }> {
    let passed = 0
    for (const some of portionsOf(task.files)) {
      const prints = await Promise.all(some.map(async ({ file, path }) => ({ path, sha256: await sha256Of(file) })))
      signal.throwIfAborted()
      const known = new Set(await this.traffic.patiently(signal, () => this.transport.known(prints, task.labels, signal)))
      const old = some.filter((_, place) => known.has(place))
      task.num_known += old.length
      if (old.length) this.#through(task, old)
      const places = new Map(some.map((one, place) => [one, passed + place]))
      for (const files of batches(some.filter((_, place) => !known.has(place))))
        yield { files, first: Math.min(...files.map((one) => places.get(one) ?? passed)) }
      passed += some.length
    }
  }

  async #sendParts(task: Task, kind: 'file' | 'archive' | 'labels_csv', signal: AbortSignal): Promise<void> {
    const [incoming] = task.files
    if (!incoming) return
    // The server knows how much had arrived when the last attempt broke off.
    const upload = await this.transport.start(incoming, kind, task.labels)
    task.upload = upload.id
    task.sent_bytes = upload.received_bytes
    await sendParts(
      this.traffic,
      signal,
      incoming.file,
      upload,
      (...part) => this.transport.part(...part),
      (bytes) => {
        task.sent_bytes += bytes
        this.onSent(bytes, 0)
      },
    )
    await this.transport.finish(upload.id, task.labels, incoming.table)
    task.finished = upload.id
    task.upload = null
    task.num_files_done = 1
    this.onSent(0, 1)
  }

  #through(task: Task, files: readonly IncomingFile[]): void {
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
    task.sent_bytes += bytes
    task.num_files_done += files.length
    this.onSent(bytes, files.length)
  }
}

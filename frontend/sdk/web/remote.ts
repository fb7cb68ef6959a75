/** The model as the page sees it: each call goes to the worker. */
import { Answering } from '../answering'
import type { BenchReport, Item, ItemAnswer, Model, PredictOptions, SelftestReport } from '../api'
import { coded, ModelError } from '../errors'
import type { Calls, Facing, FromWorker, ToWorker } from './messages'
import SdkWorker from './worker?worker&inline'

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

class Line {
  private worker: Worker | null = new SdkWorker()
  private readonly waiting = new Map<number, Waiting>()
  private lastNumber = 0

  constructor(worker = this.worker as Worker) {
    worker.onmessage = ({ data: { number, result, error } }: MessageEvent<FromWorker>) => {
      const request = this.waiting.get(number)
      this.waiting.delete(number)
      if (error) request?.reject(new ModelError(error.code, error.message, error.facts))
      else request?.resolve(result)
    }
    worker.onerror = ({ message }) => this.end(new ModelError('internal_error', `the worker ended: ${message}`))
  }

  ask<Name extends keyof Calls>(call: Name, given: Calls[Name], transfer: Transferable[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.worker) throw new ModelError('model_closed', 'the model was closed')
      const number = ++this.lastNumber
      this.waiting.set(number, { resolve, reject })
      try {
        this.worker.postMessage({ number, call, given } as ToWorker, transfer)
      } catch (error) {
        this.waiting.delete(number)
        throw coded(error, 'item_invalid', 'the item cannot be handed to the worker: ')
      }
    })
  }

  end(error = new ModelError('model_closed', 'the model was closed')): void {
    this.worker?.terminate()
    this.worker = null
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }
}

class RemoteModel extends Answering implements Model {
  readonly reads: string
  readonly output: string
  readonly labels: readonly string[]

  constructor(
    private readonly line: Line,
    { reads, output, labels }: Facing,
  ) {
    super()
    this.reads = reads
    this.output = output
    this.labels = labels
  }

  async answerBatch(items: readonly Item[], options: PredictOptions = {}): Promise<ItemAnswer[]> {
    if (!Array.isArray(items)) throw new ModelError('argument_invalid', 'items are given as an array')
    const sent = await Promise.all(items.map(sendable))
    return (await this.line.ask('answerBatch', { items: sent, options })) as ItemAnswer[]
  }

  async selftest(): Promise<SelftestReport> {
    return (await this.line.ask('selftest', null)) as SelftestReport
  }

  async bench(options: { numRuns?: number } = {}): Promise<BenchReport> {
    return (await this.line.ask('bench', options)) as BenchReport
  }

  async close(): Promise<void> {
    this.line.end()
  }
}

/** Elements of the page stay there; what they show goes. An address is one of the page. */
async function sendable(item: Item): Promise<Item> {
  if (item instanceof HTMLImageElement || item instanceof HTMLCanvasElement) {
    try {
      return await createImageBitmap(item, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' })
    } catch (error) {
      throw coded(error, 'picture_unreadable', 'the element shows no picture: ')
    }
  }
  return item
}

export async function opened(given: Calls['open']): Promise<Model> {
  const line = new Line()
  try {
    return new RemoteModel(line, (await line.ask('open', given, [given.runtime])) as Facing)
  } catch (error) {
    line.end()
    throw error
  }
}

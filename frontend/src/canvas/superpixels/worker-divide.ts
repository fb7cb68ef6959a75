/** A worker that is started when the first picture is divided. */
import type { FromWorker, ToWorker } from './messages'
import type { Division, Pixels } from './slic'

interface Waiting {
  resolve(division: Division): void
  reject(error: Error): void
}

export class WorkerDivide {
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastNumber = 0

  /** See `Divide`. */
  readonly divide = (pixels: Pixels, spacing: number): Promise<Division> =>
    new Promise((resolve, reject) => {
      const worker = (this.worker ??= this.started())
      this.lastNumber += 1
      this.waiting.set(this.lastNumber, { resolve, reject })
      worker.postMessage({ number: this.lastNumber, pixels, spacing } satisfies ToWorker)
    })

  destroy(): void {
    this.worker?.terminate()
    this.worker = null
    for (const { reject } of this.waiting.values()) reject(new Error('closed'))
    this.waiting.clear()
  }

  private started(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'superpixels' })
    worker.onmessage = ({ data: { number, ...division } }: MessageEvent<FromWorker>) => {
      this.waiting.get(number)?.resolve(division)
      this.waiting.delete(number)
    }
    worker.onerror = () => this.destroy()
    return worker
  }
}

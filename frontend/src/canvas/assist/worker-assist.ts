/** The assist of the page: a worker that is started when the tool is first picked up, and the picture that it looks at. */
import type { Bounds, Size } from '../coordinates'
import { MaskTiles } from '../shapes/mask/tiles'
import { Signal } from '../signal'
import type { AssistClick, AssistState, MaskAssist } from './assist'
import type { FromWorker, ToWorker } from './messages'

interface Waiting {
  size: Size
  resolve(tiles: MaskTiles): void
  reject(error: Error): void
}

function tilesFrom({ width, height }: Size, runs: Int32Array): MaskTiles {
  const tiles = new MaskTiles(width, height)
  for (let at = 0; at < runs.length; at += 3) tiles.setRun(runs[at] as number, runs[at + 1] as number, runs[at + 2] as number)
  return tiles
}

export class WorkerAssist implements MaskAssist {
  readonly changed = new Signal()
  readonly name = 'click_mask'
  state: AssistState = { name: 'idle' }
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastNumber = 0
  private image: HTMLImageElement | null = null
  private isPictureSent = false

  /** The picture that later clicks are on; the network stays loaded. */
  show(image: HTMLImageElement): void {
    this.image = image
    this.isPictureSent = false
  }

  prepare(): void {
    if (this.state.name === 'loading' || this.state.name === 'ready') return
    this.become({ name: 'loading', fraction: 0 })
    try {
      this.worker ??= this.started()
      this.post({ type: 'load' })
    } catch (error) {
      this.become({ name: 'failed', reason: error instanceof Error ? error.message : String(error) })
    }
  }

  async mask(clicks: readonly AssistClick[], view: Bounds): Promise<MaskTiles> {
    this.prepare()
    const { image } = this
    if (!image) throw new Error('no picture')
    if (!this.isPictureSent) {
      const bitmap = await createImageBitmap(image)
      if (image !== this.image) throw new Error('another picture')
      if (!this.isPictureSent) this.post({ type: 'picture', bitmap }, [bitmap])
      this.isPictureSent = true
    }
    this.lastNumber += 1
    const number = this.lastNumber
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { size: { width: image.naturalWidth, height: image.naturalHeight }, resolve, reject })
      this.post({ type: 'mask', number, clicks, view })
    })
  }

  destroy(): void {
    this.worker?.terminate()
    this.worker = null
    this.refuse('closed')
  }

  private started(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'click-mask' })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data)
    worker.onerror = ({ message }) => {
      worker.terminate()
      this.worker = null
      this.isPictureSent = false
      this.refuse(message)
      this.become({ name: 'failed', reason: message || 'worker' })
    }
    return worker
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker?.postMessage(message, transfer)
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case 'loading':
        return this.become({ name: 'loading', fraction: message.fraction })
      case 'ready':
        return this.become({ name: 'ready' })
      case 'failed':
        return this.become({ name: 'failed', reason: message.reason })
      case 'mask': {
        const waiting = this.waiting.get(message.number)
        this.waiting.delete(message.number)
        return waiting?.resolve(tilesFrom(waiting.size, message.runs))
      }
      case 'no_mask':
        this.waiting.get(message.number)?.reject(new Error(message.reason))
        this.waiting.delete(message.number)
    }
  }

  private refuse(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason))
    this.waiting.clear()
  }

  private become(state: AssistState): void {
    this.state = state
    this.changed.emit()
  }
}

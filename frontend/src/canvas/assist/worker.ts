/// <reference lib="webworker" />
/** The network in a worker of its own: onnxruntime on one thread, so that the page needs no isolation from other sites. */
import * as ort from 'onnxruntime-web/wasm'
import runtimeUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url'

import type { Bounds } from '../coordinates'
import { Clicking } from './answer'
import { fetched } from './fetched'
import type { FromWorker, ToWorker } from './messages'
import decoderUrl from './model/decoder.onnx?url'
import encoderUrl from './model/encoder.onnx?url'
import { GRID, heightOf, SIDE, widthOf } from './window'

type Features = Record<string, ort.Tensor>

interface Network {
  encoder: ort.InferenceSession
  decoder: ort.InferenceSession
}

/** Windows of which the features are kept: going back and forth between clicks costs nothing. */
const MOST_WINDOWS = 6

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, transfer)
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

let network: Promise<Network> | null = null
let picture: { bitmap: ImageBitmap; clicking: Clicking } | null = null
let work: Promise<unknown> = Promise.resolve()

async function load(): Promise<Network> {
  const [runtime, encoder, decoder] = await fetched([runtimeUrl, encoderUrl, decoderUrl], __ASSIST_BYTES__, (fraction) =>
    post({ type: 'loading', fraction }),
  )
  ort.env.wasm.numThreads = 1
  ort.env.wasm.wasmBinary = runtime as ArrayBuffer
  const opened = (bytes: ArrayBuffer | undefined) =>
    ort.InferenceSession.create(new Uint8Array(bytes as ArrayBuffer), { executionProviders: ['wasm'] })
  return { encoder: await opened(encoder), decoder: await opened(decoder) }
}

function clickingAt(bitmap: ImageBitmap): Clicking {
  const features = new Map<string, Features>()
  return new Clicking(bitmap, async (window, discs, mask) => {
    const { encoder, decoder } = await loaded()
    const key = Object.values(window).join()
    const known = features.get(key) ?? (await encoder.run({ picture: cutOut(bitmap, window) }))
    features.delete(key)
    features.set(key, known)
    for (const old of [...features.keys()].slice(0, -MOST_WINDOWS)) features.delete(old)
    const { logits } = await decoder.run({
      ...known,
      clicks: new ort.Tensor('float32', discs, [1, 2, GRID, GRID]),
      mask: new ort.Tensor('float32', mask, [1, 1, GRID, GRID]),
    })
    return logits?.data as Float32Array
  })
}

/** The window at the network's size, as RGBA. */
function cutOut(bitmap: ImageBitmap, window: Bounds): ort.Tensor {
  const pen = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('this browser cannot draw in a worker')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, window.minX, window.minY, widthOf(window), heightOf(window), 0, 0, SIDE, SIDE)
  return new ort.Tensor('uint8', new Uint8Array(pen.getImageData(0, 0, SIDE, SIDE).data.buffer), [1, SIDE, SIDE, 4])
}

function loaded(): Promise<Network> {
  network ??= load()
  return network
}

async function answer(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'load':
      try {
        await loaded()
        return post({ type: 'ready' })
      } catch (error) {
        network = null
        return post({ type: 'failed', reason: reasonOf(error) })
      }
    case 'picture':
      picture?.bitmap.close()
      picture = { bitmap: message.bitmap, clicking: clickingAt(message.bitmap) }
      return
    case 'mask': {
      const { number } = message
      try {
        if (!picture) throw new Error('no picture')
        const runs = await picture.clicking.runs(message.clicks, message.view)
        return post({ type: 'mask', number, runs }, [runs.buffer])
      } catch (error) {
        return post({ type: 'no_mask', number, reason: reasonOf(error) })
      }
    }
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  work = work.then(() => answer(data))
}

/// <reference lib="webworker" />
/** The model in a worker of its own. */
import * as ort from 'onnxruntime-web/wasm'

import { coded } from '../errors'
import { modelOpen, type OpenModel, type ReadFile } from '../model'
import { browserPicture } from '../pictures/browser'
import { reader } from './files'
import type { Calls, Facing, Files, FromWorker, ToWorker } from './messages'

let model: OpenModel | null = null

/** Browsers name several others beside themselves; the first of these that is named is the one. */
function browserName(): string {
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Version']
  const versions = names.map((name) => new RegExp(`${name}/[\\d.]+`).exec(navigator.userAgent)?.[0])
  return versions.find(Boolean)?.replace('Version', 'Safari').replace('/', ' ') ?? 'browser'
}

async function open({ runtime, files, options }: Calls['open']): Promise<Facing> {
  ort.env.wasm.numThreads = 1 // so that the page needs no isolation from other sites
  ort.env.wasm.wasmBinary = runtime
  const read: ReadFile = reader(files as Files)
  const environment = `${browserName()}, onnxruntime-web ${ort.env.versions.web}`
  model = await modelOpen(read, { ort, providers: ['wasm'], environment, picture: browserPicture }, options)
  return { reads: model.reads, output: model.output, labels: model.labels }
}

function answer(message: ToWorker): Promise<unknown> {
  if (message.call === 'open') return open(message.given)
  const ready = model as OpenModel // pages only call what `open` has given them
  switch (message.call) {
    case 'answerBatch':
      return ready.answerBatch(message.given.items, message.given.options)
    case 'selftest':
      return ready.selftest()
    case 'bench':
      return ready.bench(message.given)
    case 'close':
      return ready.close()
  }
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  const { number } = data
  const post = (message: FromWorker) => self.postMessage(message)
  try {
    post({ number, result: await answer(data) })
  } catch (error) {
    const { code, message, facts } = coded(error, 'internal_error')
    post({ number, error: { code, message, facts } })
  }
}

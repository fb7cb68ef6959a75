/** Stands in for onnxruntime-node where a build replays its golden samples: the runtime of browsers, in Node.js. */
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { gunzipSync } from 'node:zlib'

import * as ort from 'onnxruntime-web'

// A replay runs the graph a few times: to compile the runtime for speed would take longer than all else.
setFlagsFromString('--liftoff-only')
ort.env.wasm.numThreads = 1
ort.env.wasm.wasmBinary = gunzipSync(readFileSync(new URL(/* @vite-ignore */ './runtime.bin', import.meta.url)))

export const { env, InferenceSession, Tensor } = ort

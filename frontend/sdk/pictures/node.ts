/** Decodes JPEG, PNG and WebP in Node.js: the usual libraries in WebAssembly, without a native module. */
import { readFile } from 'node:fs/promises'

import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import { PNG } from 'pngjs'

import type { Item, Pixels } from '../api'
import { coded, ModelError } from '../errors'
import { orientationOf } from './exif'
import { bytesOf, isPixels } from './item'
import { tooLarge, type Upright, upright } from './upright'

interface Format {
  matches(bytes: Uint8Array): boolean
  decode(bytes: Uint8Array): Promise<Pixels>
}

/** What the codecs make their result with; Node.js has none. */
class PlainImageData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

/** Starts a codec once. */
function started(file: string, init: (module: WebAssembly.Module) => Promise<unknown>): () => Promise<unknown> {
  let ready: Promise<unknown> | null = null
  return () => {
    ;(globalThis as { ImageData?: unknown }).ImageData ??= PlainImageData
    ready ??= readFile(new URL(file, import.meta.url)).then(async (bytes) => init(await WebAssembly.compile(bytes)))
    return ready
  }
}

const jpeg = started('./jpeg.wasm', initJpeg)
const webp = started('./webp.wasm', initWebp)

/** A copy: a Buffer may be a part of a larger one. */
const bufferOf = (bytes: Uint8Array) => new Uint8Array(bytes).buffer
const textAt = (bytes: Uint8Array, at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length))

function decodePng(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  tooLarge(view.getUint32(16), view.getUint32(20)) // before memory is taken
  const isDeep = view.getUint8(24) === 16
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { skipRescale: isDeep })
  return { width, height, data: isDeep ? Uint8Array.from(data, (value) => value >> 8) : data }
}

const FORMATS: Format[] = [
  {
    matches: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8,
    decode: async (bytes) => {
      await jpeg()
      return decodeJpeg(bufferOf(bytes), { preserveOrientation: false })
    },
  },
  {
    matches: (bytes) => textAt(bytes, 1, 3) === 'PNG',
    decode: async (bytes) => decodePng(bytes),
  },
  {
    matches: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    decode: async (bytes) => {
      await webp()
      return decodeWebp(bufferOf(bytes))
    },
  },
]

export async function nodePicture(item: Item, minSidePx: number): Promise<Upright> {
  if (isPixels(item)) return upright(item, minSidePx)
  const bytes = typeof item === 'string' ? await read(item) : await bytesOf(item)
  if (!bytes) throw new ModelError('item_invalid', 'this model reads a picture: give a path, bytes or pixels')
  const format = FORMATS.find(({ matches }) => matches(bytes))
  if (!format) throw new ModelError('picture_unreadable', 'the picture is no JPEG, PNG or WebP file')
  let pixels: Pixels
  try {
    pixels = await format.decode(bytes)
  } catch (error) {
    // The codecs throw objects of their own.
    throw coded(error instanceof Error ? error : 'the file is broken', 'picture_unreadable', 'the picture cannot be decoded: ')
  }
  return upright(pixels, minSidePx, orientationOf(bytes))
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw coded(error, 'picture_unreadable', 'the picture cannot be read: ')
  }
}

/** The same for the page that is opened from the unpacked archive: all files lie in classic scripts beside it. */
import type { LoadOptions, Model } from '../api'
import { ModelError } from '../errors'
import { unpacked } from './files'
import { opened } from './remote'

interface Packed {
  /** Packed, in base64. */
  runtime: string
  /** Files of the artefact by their names, in base64. */
  files: Record<string, string>
}

declare global {
  var modelPacked: Packed
  var modelSdk: { load(options?: LoadOptions): Promise<Model>; ModelError: typeof ModelError }
}

const bytesOf = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

globalThis.modelSdk = {
  ModelError,
  async load(options = {}) {
    const { runtime, files } = globalThis.modelPacked
    const read = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytesOf(text)]))
    return opened({ runtime: await unpacked(bytesOf(runtime).buffer), files: read, options })
  },
}

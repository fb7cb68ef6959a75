/** Files of the artefact and the runtime, over HTTP or as they lie in the page. */
import { coded, ModelError } from '../errors'
import type { Files } from './messages'

const GZIP = 0x1f8b

export async function fetched(address: string): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return await answer.arrayBuffer()
  } catch (error) {
    throw coded(error, 'artefact_unreadable', `${address} cannot be fetched: `)
  }
}

export function reader(files: Files): (name: string) => Promise<Uint8Array> {
  return async (name) => {
    if (typeof files === 'string') return new Uint8Array(await fetched(new URL(name, files).href))
    const bytes = files[name]
    if (!bytes) throw new ModelError('artefact_unreadable', `${name} is missing`)
    return bytes
  }
}

/** The runtime travels packed; a server that takes `.bin` for packed content has unpacked it already. */
export async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  if (bytes.byteLength < 2 || new DataView(bytes).getUint16(0) !== GZIP) return bytes
  try {
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
  } catch (error) {
    throw coded(error, 'artefact_unreadable', 'the runtime cannot be unpacked: ')
  }
}

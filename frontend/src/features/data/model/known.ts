/** Hashes of files, by which the server finds those it already has. */
import { sha256 } from '@noble/hashes/sha2.js'

import type { IncomingFile } from '../../../lib/upload/incoming'

/** As many files are asked for at once; they are hashed at the same time, so their sum is bounded too. */
const FILES = 256
const BYTES = 64 * 2 ** 20

export function* portionsOf(files: readonly IncomingFile[]): Generator<IncomingFile[]> {
  let open: IncomingFile[] = []
  let bytes = 0
  for (const one of files) {
    if (open.length && (open.length >= FILES || bytes + one.file.size > BYTES)) {
      yield open
      open = []
      bytes = 0
    }
    open.push(one)
    bytes += one.file.size
  }
  if (open.length) yield open
}

/** The browser's own hash where it is allowed: on plain http only to this machine. */
export async function sha256Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Declared as always there, and absent outside of secure contexts.
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes)
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

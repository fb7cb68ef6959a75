/** Sends the rest of a file in parts, several at a time, each as large as the line takes well. */
import { firstPartBytes, nextPartBytes } from './part-size'
import type { Traffic } from './traffic'

export interface PartedUpload {
  id: string
  received_bytes: number
  part_bytes: number
}

type SendPart = (upload: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<unknown>

/** Ends when the server has all of it; throws when a part was refused or the signal fell. */
export async function sendParts(
  traffic: Traffic,
  signal: AbortSignal,
  file: Blob,
  upload: PartedUpload,
  sendPart: SendPart,
  onSent: (bytes: number) => void,
): Promise<void> {
  const size = { bytes: firstPartBytes(upload.part_bytes) }
  await traffic.several(signal, parts(upload.received_bytes, file, size), async ({ offset, bytes }, both) => {
    await traffic.slot(both, async () => {
      const start_ms = performance.now()
      await sendPart(upload.id, offset, bytes, both)
      size.bytes = nextPartBytes(bytes.size, performance.now() - start_ms, upload.part_bytes)
    })
    onSent(bytes.size)
  })
  signal.throwIfAborted()
}

/** The rest of a file in parts, each of the size that `size()` returns at the time. */
function* parts(start: number, file: Blob, size: Readonly<{ bytes: number }>): Generator<{ offset: number; bytes: Blob }> {
  for (let offset = start; offset < file.size;) {
    const bytes = file.slice(offset, offset + size.bytes)
    yield { offset, bytes }
    offset += bytes.size
  }
}

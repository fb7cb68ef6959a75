/** Fetches files and reports progress. */

/** @param total bytes of all of them, unpacked: what a server packs has no length to go by. */
export async function fetched(urls: readonly string[], total: number, onFraction: (fraction: number) => void): Promise<ArrayBuffer[]> {
  let done = 0
  const stop = new AbortController()
  const onBytes = (count: number) => {
    done += count
    if (!stop.signal.aborted) onFraction(Math.min(done / total, 1))
  }
  try {
    return await Promise.all(urls.map((url) => one(url, onBytes, stop.signal)))
  } finally {
    stop.abort() // a failure aborts the others, and no progress is reported after it
  }
}

async function one(url: string, onBytes: (count: number) => void, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { signal })
  if (!response.ok || !response.body) throw new Error(`${new URL(url, location.href).pathname}: ${response.status}`)
  const reader = response.body.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value)
    onBytes(read.value.byteLength)
  }
  return new Blob(parts).arrayBuffer()
}

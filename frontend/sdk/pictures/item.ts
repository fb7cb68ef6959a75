/** Tells pixels from files. */
import type { Item, Pixels } from '../api'

export function isPixels(item: unknown): item is Pixels {
  const some = item as Partial<Pixels> | null
  return typeof some === 'object' && ArrayBuffer.isView(some?.data) && typeof some.width === 'number' && typeof some.height === 'number'
}

export async function bytesOf(item: Item): Promise<Uint8Array | null> {
  if (item instanceof Uint8Array) return item
  if (item instanceof ArrayBuffer) return new Uint8Array(item)
  return item instanceof Blob ? new Uint8Array(await item.arrayBuffer()) : null
}

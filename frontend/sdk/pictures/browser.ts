/** Decodes pictures with the browser. */
import type { Item } from '../api'
import { coded, ModelError } from '../errors'
import { bytesOf, isPixels } from './item'
import { tooLarge, type Upright, upright } from './upright'

/** As stored, so that the graph sees what it sees elsewhere. */
const AS_STORED: ImageBitmapOptions = { colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'from-image' }

export async function browserPicture(item: Item, minSidePx: number): Promise<Upright> {
  if (isPixels(item)) return upright(item, minSidePx)
  const bitmap = item instanceof ImageBitmap ? item : await bitmapOf(item)
  try {
    tooLarge(bitmap.width, bitmap.height)
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true })
    if (!pen) throw new ModelError('internal_error', 'this browser cannot draw in a worker')
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, bitmap.width, bitmap.height)
    pen.drawImage(bitmap, 0, 0)
    return upright(pen.getImageData(0, 0, bitmap.width, bitmap.height), minSidePx)
  } finally {
    bitmap.close()
  }
}

async function bitmapOf(item: Item): Promise<ImageBitmap> {
  const file = typeof item === 'string' ? await fetched(item) : await bytesOf(item)
  if (!file) throw new ModelError('item_invalid', 'this model reads a picture: give a Blob, bytes, pixels or an address')
  try {
    return await createImageBitmap(new Blob([file as Uint8Array<ArrayBuffer>]), AS_STORED)
  } catch (error) {
    throw coded(error, 'picture_unreadable', 'the picture cannot be decoded: ')
  }
}

async function fetched(address: string): Promise<Uint8Array> {
  try {
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  } catch (error) {
    throw coded(error, 'picture_unreadable', `${address} cannot be fetched: `)
  }
}

/** Thumbnails for a canvas: asked for when they are first drawn, the oldest let go. */
import { thumbnailUrl } from '../../../lib/thumbnail-url'

const KEPT = 600

export interface Thumbnails {
  get: (item: string) => HTMLImageElement | null
}

/** @param onArrival called when a picture that was asked for is here */
export function thumbnails(onArrival: () => void): Thumbnails {
  const kept = new Map<string, HTMLImageElement>()
  return {
    get: (item) => {
      const found = kept.get(item)
      if (found) return found.complete && found.naturalWidth > 0 ? found : null
      const image = new Image()
      image.decoding = 'async'
      image.onload = onArrival
      image.src = thumbnailUrl(item)
      kept.set(item, image)
      const oldest = kept.keys().next()
      if (kept.size > KEPT && !oldest.done) kept.delete(oldest.value)
      return null
    },
  }
}

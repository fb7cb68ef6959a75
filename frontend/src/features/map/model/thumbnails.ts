/** Thumbnails for a canvas: asked for when they are first drawn, the oldest let go. */
import { thumbnailUrl } from '../../../lib/thumbnail-url'

const MAX_THUMBNAILS = 600

export interface Thumbnails {
  get: (item: string) => HTMLImageElement | null
}

/** @param onArrival called when a picture that was asked for is here */
export function thumbnails(onArrival: () => void): Thumbnails {
  const loaded = new Map<string, HTMLImageElement>()
  return {
    get: (item) => {
      const found = loaded.get(item)
      if (found) return found.complete && found.naturalWidth > 0 ? found : null
      const image = new Image()
      image.decoding = 'async'
      image.onload = onArrival
      image.src = thumbnailUrl(item)
      loaded.set(item, image)
      const oldest = loaded.keys().next()
      if (loaded.size > MAX_THUMBNAILS && !oldest.done) loaded.delete(oldest.value)
      return null
    },
  }
}

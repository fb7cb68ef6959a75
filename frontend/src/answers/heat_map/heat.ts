/** A heat map as pixels: see-through where a picture is like the normal ones, then yellow, then red. Pure. */

export interface HeatMap {
  width: number
  height: number
  /** A byte a cell, row by row, in base64. */
  values: string
}

/** What is less unlike the normal pictures is not coloured, 0..255. */
const FROM = 50
const MOST_OPAQUE = 190

/** Red, green, blue and opacity of each cell; null of a map that is not whole. */
export function heatPixels({ width, height, values }: HeatMap): Uint8ClampedArray<ArrayBuffer> | null {
  const bytes = decoded(values)
  if (bytes?.length !== width * height) return null
  const pixels = new Uint8ClampedArray(4 * bytes.length)
  for (let place = 0; place < bytes.length; place += 1) {
    const heat = Math.max(0, bytes.charCodeAt(place) - FROM) / (255 - FROM)
    pixels.set([255 - 45 * heat, 220 * (1 - heat), 40 * (1 - heat), MOST_OPAQUE * Math.sqrt(heat)], 4 * place)
  }
  return pixels
}

function decoded(values: string): string | null {
  try {
    return atob(values)
  } catch {
    return null
  }
}

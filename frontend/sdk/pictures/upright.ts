/** Brings pixels to what the graph takes: RGB over white, upright, and shrunk by a whole factor where they are many. */
import type { Pixels } from '../api'
import { ModelError } from '../errors'

/** Larger than any camera's picture. */
export const MAX_PIXELS = 100_000_000
const WHITE = 255

export interface Upright {
  rgb: Uint8Array
  /** Of `rgb`. */
  width: number
  height: number
  /** Of the picture as it was given. */
  widthPx: number
  heightPx: number
}

interface Rgb {
  rgb: Uint8Array
  width: number
  height: number
}

export function tooLarge(width: number, height: number): void {
  if (width * height > MAX_PIXELS)
    throw new ModelError('picture_too_large', `the picture has ${width} x ${height} pixels, at most ${MAX_PIXELS} are read`)
}

/**
 * @param orientation of the EXIF tag, 1 to 8.
 */
export function upright(pixels: Pixels, minSidePx: number, orientation = 1): Upright {
  tooLarge(pixels.width, pixels.height)
  const factor = Math.floor(Math.min(pixels.width, pixels.height) / minSidePx)
  const small = reduced(rgbOf(pixels), factor)
  const [widthPx, heightPx] = orientation >= 5 ? [pixels.height, pixels.width] : [pixels.width, pixels.height]
  return { ...turned(small, orientation), widthPx, heightPx }
}

function rgbOf({ data, width, height }: Pixels): Rgb {
  const count = width * height
  const isSound = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0
  if (!isSound || (data.length !== count * 3 && data.length !== count * 4))
    throw new ModelError('picture_unreadable', `${data.length} bytes are no ${width} x ${height} pixels of 3 or 4 bytes`)
  if (data.length === count * 3) return { rgb: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height }
  const rgb = new Uint8Array(count * 3)
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    const alpha = data[from + 3] as number
    for (let channel = 0; channel < 3; channel++) {
      const value = data[from + channel] as number
      rgb[to + channel] = alpha === WHITE ? value : Math.round((value * alpha + WHITE * (WHITE - alpha)) / WHITE)
    }
  }
  return { rgb, width, height }
}

/** Means of squares of `factor` pixels, at the lower and right edge of what is there. */
function reduced({ rgb, width, height }: Rgb, factor: number): Rgb {
  if (factor <= 1) return { rgb, width, height }
  const [wide, high] = [Math.ceil(width / factor), Math.ceil(height / factor)]
  const small = new Uint8Array(wide * high * 3)
  const sums = new Float64Array(wide * 3)
  for (let y = 0; y < high; y++) {
    sums.fill(0)
    const lines = Math.min(factor, height - y * factor)
    for (let line = 0, from = y * factor * width * 3; line < lines; line++) {
      for (let x = 0; x < width; x++) {
        const to = Math.floor(x / factor) * 3
        for (let channel = 0; channel < 3; channel++) sums[to + channel] = (sums[to + channel] as number) + (rgb[from++] as number)
      }
    }
    for (let at = 0; at < sums.length; at++) {
      const count = lines * Math.min(factor, width - Math.floor(at / 3) * factor)
      small[y * wide * 3 + at] = Math.floor((sums[at] as number) / count + 0.5)
    }
  }
  return { rgb: small, width: wide, height: high }
}

/** Undoes the EXIF orientation. */
function turned(picture: Rgb, orientation: number): Rgb {
  if (orientation < 2 || orientation > 8) return picture
  const { rgb, width, height } = picture
  const isOnItsSide = orientation >= 5
  const [wide, high] = isOnItsSide ? [height, width] : [width, height]
  const isMirroredX = [2, 3, 7, 8].includes(orientation)
  const isMirroredY = [3, 4, 6, 7].includes(orientation)
  const out = new Uint8Array(rgb.length)
  for (let y = 0, to = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const [column, row] = isOnItsSide ? [y, x] : [x, y]
      const from = ((isMirroredY ? height - 1 - row : row) * width + (isMirroredX ? width - 1 - column : column)) * 3
      out[to++] = rgb[from] as number
      out[to++] = rgb[from + 1] as number
      out[to++] = rgb[from + 2] as number
    }
  }
  return { rgb: out, width: wide, height: high }
}

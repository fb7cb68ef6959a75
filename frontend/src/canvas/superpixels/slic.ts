/**
 * Superpixels: small connected areas of like colour that follow the edges of a picture. SLIC as in Achanta et al. 2012 ("SLIC
 * Superpixels Compared to State-of-the-Art Superpixel Methods", https://doi.org/10.1109/TPAMI.2012.120): k-means over colour (CIELAB)
 * and place that looks around each centre only, then what is separate joins a neighbour. Nothing in it is drawn by chance.
 */
import type { Size } from '../coordinates'

/** RGBA row by row. */
export interface Pixels extends Size {
  data: Uint8ClampedArray
}

export interface Division {
  /** The superpixel of each pixel, row by row, 0 to `count` (exclusive). */
  labels: Int32Array
  count: number
}

/** A difference of ten in colour weighs as much as a whole step in place. */
const COMPACTNESS = 10
const ROUNDS = 10
/** Neighbours whose red, green or blue differs by more are of something else. */
const NOISE = 32
/** Of the usual area: what is smaller belongs to a neighbour. */
const LEAST_SHARE = 0.25
/** Numbers of a centre: L, a, b, x, y. */
const NUMBERS = 5

interface Lab {
  l: Float32Array
  a: Float32Array
  b: Float32Array
}

/** @param spacing how far apart the superpixels begin, in pixels, at least 2. */
export function superpixelsOf(pixels: Pixels, spacing: number): Division {
  const { width, height } = pixels
  const lab = labOf(smoothed(pixels))
  const [columns, rows] = [Math.max(1, Math.round(width / spacing)), Math.max(1, Math.round(height / spacing))]
  const step = Math.max(width / columns, height / rows)
  const centres = firstCentres(lab, pixels, columns, rows)
  const labels = new Int32Array(width * height)
  const nearest = new Float32Array(width * height)
  for (let round = 0; round < ROUNDS; round += 1) {
    assign(lab, pixels, centres, step, { labels, nearest })
    moveToMeans(lab, pixels, labels, centres)
  }
  return connected(labels, pixels, Math.floor(step * step * LEAST_SHARE))
}

/** sRGB to CIELAB with the white D65. */
function labOf({ data, width, height }: Pixels): Lab {
  const linear = Float32Array.from({ length: 256 }, (_, value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const [l, a, b] = [new Float32Array(width * height), new Float32Array(width * height), new Float32Array(width * height)]
  for (let at = 0; at < l.length; at += 1) {
    const red = linear[data[at * 4] as number] as number
    const green = linear[data[at * 4 + 1] as number] as number
    const blue = linear[data[at * 4 + 2] as number] as number
    const x = curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    const y = curve(0.2126729 * red + 0.7151522 * green + 0.072175 * blue)
    const z = curve((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883)
    l[at] = 116 * y - 16
    a[at] = 500 * (x - y)
    b[at] = 200 * (y - z)
  }
  return { l, a, b }
}

/**
 * Each pixel averaged with those of its neighbours that are like it (the sigma filter of Lee, 1983): grain would tear superpixels to
 * pieces, and a plain mean would move their edges.
 */
function smoothed({ data, width, height }: Pixels): Pixels {
  const out = new Uint8ClampedArray(data.length)
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - 1)
    const bottom = Math.min(height - 1, y + 1)
    for (let x = 0; x < width; x += 1) {
      const middle = (y * width + x) * 4
      const red = data[middle] as number
      const green = data[middle + 1] as number
      const blue = data[middle + 2] as number
      const left = Math.max(0, x - 1)
      const right = Math.min(width - 1, x + 1)
      let [sumRed, sumGreen, sumBlue, count] = [0, 0, 0, 0]
      for (let row = top; row <= bottom; row += 1) {
        for (let at = (row * width + left) * 4; at <= (row * width + right) * 4; at += 4) {
          const r = data[at] as number
          const g = data[at + 1] as number
          const b = data[at + 2] as number
          if (Math.abs(r - red) > NOISE || Math.abs(g - green) > NOISE || Math.abs(b - blue) > NOISE) continue
          sumRed += r
          sumGreen += g
          sumBlue += b
          count += 1
        }
      }
      out[middle] = sumRed / count
      out[middle + 1] = sumGreen / count
      out[middle + 2] = sumBlue / count
    }
  }
  return { data: out, width, height }
}

/** An even grid, each centre moved to the flattest of the nine pixels there, so that none begins on an edge. */
function firstCentres(lab: Lab, { width, height }: Size, columns: number, rows: number): Float64Array {
  const centres = new Float64Array(columns * rows * NUMBERS)
  for (let number = 0; number < columns * rows; number += 1) {
    const midX = Math.floor((((number % columns) + 0.5) * width) / columns)
    const midY = Math.floor(((Math.floor(number / columns) + 0.5) * height) / rows)
    let [best, least] = [midY * width + midX, Infinity]
    for (let y = Math.max(1, midY - 1); y <= Math.min(height - 2, midY + 1); y += 1) {
      for (let x = Math.max(1, midX - 1); x <= Math.min(width - 2, midX + 1); x += 1) {
        const at = y * width + x
        const slope = difference(lab, at - 1, at + 1) + difference(lab, at - width, at + width)
        if (slope < least) [best, least] = [at, slope]
      }
    }
    const place = [best % width, Math.floor(best / width)]
    centres.set([lab.l[best] as number, lab.a[best] as number, lab.b[best] as number, ...place], number * NUMBERS)
  }
  return centres
}

function difference({ l, a, b }: Lab, one: number, other: number): number {
  const [dl, da, db] = [
    (l[one] as number) - (l[other] as number),
    (a[one] as number) - (a[other] as number),
    (b[one] as number) - (b[other] as number),
  ]
  return dl * dl + da * da + db * db
}

/** Each pixel goes to the nearest centre; a centre looks no further than a step. */
function assign(
  { l, a, b }: Lab,
  { width, height }: Size,
  centres: Float64Array,
  step: number,
  { labels, nearest }: { labels: Int32Array; nearest: Float32Array },
): void {
  nearest.fill(Infinity)
  const weight = (COMPACTNESS / step) ** 2
  for (let base = 0; base < centres.length; base += NUMBERS) {
    const number = base / NUMBERS
    const [midL, midA, midB] = [centres[base] as number, centres[base + 1] as number, centres[base + 2] as number]
    const [midX, midY] = [centres[base + 3] as number, centres[base + 4] as number]
    const [left, right] = [Math.max(0, Math.floor(midX - step)), Math.min(width - 1, Math.ceil(midX + step))]
    const [top, bottom] = [Math.max(0, Math.floor(midY - step)), Math.min(height - 1, Math.ceil(midY + step))]
    for (let y = top; y <= bottom; y += 1) {
      const fromY = (y - midY) * (y - midY)
      for (let x = left, at = y * width + left; x <= right; x += 1, at += 1) {
        const dl = (l[at] as number) - midL
        const da = (a[at] as number) - midA
        const db = (b[at] as number) - midB
        const distance = dl * dl + da * da + db * db + ((x - midX) * (x - midX) + fromY) * weight
        if (distance >= (nearest[at] as number)) continue
        nearest[at] = distance
        labels[at] = number
      }
    }
  }
}

function moveToMeans({ l, a, b }: Lab, { width, height }: Size, labels: Int32Array, centres: Float64Array): void {
  const sums = new Float64Array(centres.length)
  const counts = new Uint32Array(centres.length / NUMBERS)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const number = labels[at] as number
      const base = number * NUMBERS
      sums[base] = (sums[base] as number) + (l[at] as number)
      sums[base + 1] = (sums[base + 1] as number) + (a[at] as number)
      sums[base + 2] = (sums[base + 2] as number) + (b[at] as number)
      sums[base + 3] = (sums[base + 3] as number) + x
      sums[base + 4] = (sums[base + 4] as number) + y
      counts[number] = (counts[number] as number) + 1
    }
  }
  for (let at = 0; at < centres.length; at += 1) {
    const count = counts[Math.floor(at / NUMBERS)] as number
    if (count > 0) centres[at] = (sums[at] as number) / count
  }
}

/** Separate parts become superpixels of their own, but what is too small and not the largest of its cluster joins one above or left. */
function connected(labels: Int32Array, size: Size, least: number): Division {
  const { found, parts } = partsOf(labels, size)
  const largest: number[] = []
  parts.forEach(({ cluster, area }, part) => {
    if (area > (parts[largest[cluster] ?? -1]?.area ?? 0)) largest[cluster] = part
  })
  const numbers = new Int32Array(parts.length)
  let count = 0
  parts.forEach(({ cluster, area, before }, part) => {
    if (area < least && before !== null && largest[cluster] !== part) numbers[part] = numbers[before] as number
    else numbers[part] = count++
  })
  return { labels: found.map((part) => numbers[part] as number), count }
}

interface Part {
  cluster: number
  area: number
  /** The part on the left of its first pixel, or above it; an earlier one. */
  before: number | null
}

function partsOf(labels: Int32Array, { width, height }: Size): { found: Int32Array; parts: Part[] } {
  const found = new Int32Array(labels.length).fill(-1)
  const open = new Int32Array(labels.length)
  const parts: Part[] = []
  for (let start = 0; start < labels.length; start += 1) {
    if (found[start] !== -1) continue
    const part = parts.length
    const cluster = labels[start] as number
    const before = start % width > 0 ? found[start - 1] : start >= width ? found[start - width] : null
    const take = (to: number) => {
      if (found[to] !== -1 || labels[to] !== cluster) return false
      found[to] = part
      return true
    }
    open[0] = start
    found[start] = part
    let area = 1
    for (let next = 0; next < area; next += 1) {
      const at = open[next] as number
      const x = at % width
      if (x > 0 && take(at - 1)) open[area++] = at - 1
      if (x < width - 1 && take(at + 1)) open[area++] = at + 1
      if (at >= width && take(at - width)) open[area++] = at - width
      if (at < width * (height - 1) && take(at + width)) open[area++] = at + width
    }
    parts.push({ cluster, area, before: before ?? null })
  }
  return { found, parts }
}

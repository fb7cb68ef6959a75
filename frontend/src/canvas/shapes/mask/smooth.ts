/** Smooth outlines: a pixel is set when at least half of the square around it is. */
import { grown } from '../../coordinates'
import { MaskTiles } from './tiles'

/** `radius` is half the side of the square, in whole pixels. What lies outside of the picture counts as the picture's edge does. */
export function smoothed(mask: MaskTiles, radius: number): MaskTiles {
  const bounds = mask.bounds()
  const out = new MaskTiles(mask.width, mask.height)
  if (!bounds) return out
  const { minX, minY, maxX, maxY } = grown(bounds, radius)
  const [width, height] = [maxX - minX, maxY - minY]
  const inner = (value: number, end: number) => Math.min(Math.max(value, 0), end - 1)
  const columns = new Map<number, Int32Array>()
  const column = (x: number) => {
    const known = columns.get(x) ?? sums(mask, inner(minX + x, mask.width), minY, height, radius)
    columns.set(x, known)
    return known
  }
  const total = new Int32Array(height)
  const least = (2 * radius + 1) ** 2 / 2
  const put = (counts: Int32Array, sign: 1 | -1) => {
    for (let y = 0; y < height; y += 1) total[y] = (total[y] as number) + sign * (counts[y] as number)
  }
  for (let x = -radius; x < radius; x += 1) put(column(x), 1)
  for (let x = 0; x < width; x += 1) {
    put(column(x + radius), 1)
    if (x > 0) put(column(x - radius - 1), -1)
    columns.delete(x - radius - 1)
    for (let y = 0; y < height; y += 1) {
      const from = y
      while (y < height && (total[y] as number) > least) y += 1
      if (y > from) out.setRun(minX + x, minY + from, minY + y)
    }
  }
  return out
}

/** How many pixels of a column are set within the radius of each row. */
function sums(mask: MaskTiles, x: number, minY: number, height: number, radius: number): Int32Array {
  const before = new Int32Array(height + 2 * radius + 2)
  for (let index = 0; index < before.length - 1; index += 1) {
    const y = Math.min(Math.max(minY + index - radius, 0), mask.height - 1)
    before[index + 1] = (before[index] as number) + (mask.has(x, y) ? 1 : 0)
  }
  return Int32Array.from({ length: height }, (_, y) => (before[y + 2 * radius + 1] as number) - (before[y] as number))
}

/** Maths of the sparkline. */

import { extent, linearScale } from '../scale/scale'

/**
 * SVG path through the values, evenly spaced, with 1.5 px of padding for the stroke. A gap in the values breaks the line; a lone
 * value becomes a point.
 */
export function sparkPath(values: readonly (number | null)[], width_px: number, height_px: number): string {
  const domain = extent(values)
  if (!domain) return ''
  const flat = domain[0] === domain[1]
  const y = linearScale(domain, [height_px - 1.5, 1.5])
  const step = values.length > 1 ? (width_px - 3) / (values.length - 1) : 0
  let path = ''
  let isPenDown = false
  values.forEach((value, index) => {
    if (value == null || !Number.isFinite(value)) {
      isPenDown = false
      return
    }
    const at = `${round(1.5 + index * step)} ${round(flat ? height_px / 2 : y.toPx(value))}`
    path += isPenDown ? `L${at}` : `M${at}h0`
    isPenDown = true
  })
  return path
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

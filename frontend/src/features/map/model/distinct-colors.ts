/** A colour a label for the map: its own where no other label has that too, else one from the wheel. Pure. */
import type { Scheme } from '../../../charts/palette/palette'

/** Turns that never come back to a hue that was there. */
const GOLDEN_ANGLE = 137.508

export function distinctColors(
  names: readonly string[],
  labels: readonly { name: string; color: string }[],
  scheme: Scheme,
): Map<string, string> {
  const times = new Map<string, number>()
  for (const { color } of labels) times.set(color, (times.get(color) ?? 0) + 1)
  const own = new Map(labels.filter(({ color }) => times.get(color) === 1).map(({ name, color }) => [name, color]))
  const lightness = scheme === 'light' ? [0.44, 0.56] : [0.6, 0.72]
  return new Map(
    names.map((name, index) => [name, own.get(name) ?? hex((index * GOLDEN_ANGLE + 215) % 360, 0.68, lightness[index % 2] ?? 0.5)]),
  )
}

/** `#rrggbb` of a hue in degrees with saturation and lightness in 0..1 (CSS Color 4, section 7.1). */
export function hex(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12
    const value = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1))
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

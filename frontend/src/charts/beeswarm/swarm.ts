/** Maths of the beeswarm: where the points of one line lie, and how high a cell is among its column's. */

/**
 * Offsets in lanes above and below the line, so that points that would lie on each other lie beside each other.
 *
 * @param places_px Along the line.
 * @param width_px Of a point.
 */
export function lanesOf(places_px: readonly number[], width_px: number): number[] {
  const taken = new Map<number, number>()
  return places_px.map((place) => {
    const bin = Math.round(place / width_px)
    const before = taken.get(bin) ?? 0
    taken.set(bin, before + 1)
    // 0, 1, -1, 2, -2, …
    return before % 2 ? (before + 1) / 2 : -before / 2 || 0
  })
}

/** How high each value is among the others, 0..1; null for what has no place. Equal values are equally high. */
export function ranksOf(values: readonly number[]): (number | null)[] {
  const sorted = [...new Set(values.filter(Number.isFinite))].sort((one, other) => one - other)
  const places = new Map(sorted.map((value, index) => [value, sorted.length > 1 ? index / (sorted.length - 1) : 0.5]))
  return values.map((value) => places.get(value) ?? null)
}

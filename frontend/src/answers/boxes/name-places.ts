interface Named {
  x: number
  y: number
  label: string
}

/** A letter's width beside its height, about; one of Chinese is as wide as high. */
const LATIN_WIDTH = 0.6

const widthOf = (label: string, text_px: number) =>
  [...label].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 1 : LATIN_WIDTH), 0) * text_px

/**
 * Where the names of boxes stand, as the baselines' heights in pixels: above the box, but never above the picture; one that would
 * lie on an earlier one goes below it.
 */
export function namePlaces(boxes: readonly Named[], text_px: number): number[] {
  const placed: { start: number; end: number; y: number }[] = []
  return boxes.map(({ x, y: top, label }) => {
    const [start, end] = [x, x + widthOf(label, text_px)]
    const beside = placed.filter((other) => other.start < end && start < other.end).sort((one, other) => one.y - other.y)
    let y = Math.max(text_px, top - text_px / 3)
    for (const other of beside) if (Math.abs(other.y - y) < text_px) y = other.y + text_px
    placed.push({ start, end, y })
    return y
  })
}

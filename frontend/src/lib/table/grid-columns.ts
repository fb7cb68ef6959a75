/** Where the columns of a grid lie, and which of them are in sight. Pure. */
import type { CellKind } from './cells'

const WIDTH_PX: Record<CellKind, number> = { number: 112, category: 144, datetime: 168, text: 280 }
/** Of a letter of a column's name. */
const LETTER_PX = 7.5
const HEAD_PX = 64
const WIDEST_PX = 320

/** As wide as cells of the kind want it, wider for a long name. */
export function widthOf({ name, kind }: { name: string; kind: CellKind }): number {
  return Math.round(Math.min(WIDEST_PX, Math.max(WIDTH_PX[kind], name.length * LETTER_PX + HEAD_PX)))
}

/** Where each column begins, and at the end where the last one ends. */
export function offsetsOf(widths_px: readonly number[]): number[] {
  return widths_px.reduce<number[]>((offsets, width) => [...offsets, (offsets.at(-1) ?? 0) + width], [0])
}

/** First and last column of which something is in sight, one more on both sides; [0, -1] where there is none. */
export function columnsSeen(offsets_px: readonly number[], left_px: number, view_px: number): [number, number] {
  const num = offsets_px.length - 1
  if (num < 1) return [0, -1]
  let first = 0
  while (first < num - 1 && (offsets_px[first + 1] ?? 0) <= left_px) first += 1
  let last = first
  while (last < num - 1 && (offsets_px[last + 1] ?? 0) < left_px + view_px) last += 1
  return [Math.max(0, first - 1), Math.min(num - 1, last + 1)]
}

/** How far to scroll so that a column is seen whole, or at least its beginning. */
export function scrollFor(offsets_px: readonly number[], column: number, left_px: number, view_px: number): number {
  const from_px = offsets_px[column] ?? 0
  const to_px = offsets_px[column + 1] ?? from_px
  if (from_px < left_px) return from_px
  return to_px > left_px + view_px ? Math.min(from_px, to_px - view_px) : left_px
}

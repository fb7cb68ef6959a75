/** What counted in an item: pieces of a text to be shown, or the shade over a picture. */
import type { Answer } from './api/answer'

/** Segments of a text, a grid over a picture. Segments count code points, not the halves of which JavaScript makes some. */
export type Evidence = Pick<Answer<'ExplainedOut'>, 'label' | 'segments' | 'grid'>
export type Segment = Evidence['segments'][number]
export type Grid = NonNullable<Evidence['grid']>

export interface EvidencePiece {
  /** Without the white space that follows. */
  text: string
  /** White space that is not tinted. */
  before: string
  after: string
  fall: number
  weight: number
  /** How strongly it is tinted, 0..1; 0 is not at all. */
  strength: number
}

/** Fainter tints would be invisible. */
const LEAST_WEIGHT = 0.08

/** Cuts a text at its segments; what follows the last is a piece that counts nothing. */
export function evidencePieces(text: string, segments: readonly Segment[]): EvidencePiece[] {
  const characters = [...text]
  const end_last = segments.at(-1)?.end ?? 0
  const rest = end_last < characters.length ? [{ start: end_last, end: characters.length, fall: 0, weight: 0 }] : []
  return [...segments, ...rest].map(({ start, end, fall, weight }) => {
    const whole = characters.slice(start, end).join('')
    const inner = whole.trim()
    const from = whole.length - whole.trimStart().length
    const strength = Math.abs(weight) < LEAST_WEIGHT ? 0 : Math.abs(weight)
    return { text: inner, before: whole.slice(0, from), after: whole.slice(from + inner.length), fall, weight, strength }
  })
}

/** Of the shade where nothing counts. */
const DARKEST = 0.68
/** The same as a colour. */
export const DARK = `rgb(0 0 0 / ${DARKEST})`
const AGAINST: readonly [number, number, number] = [240, 118, 20]

/** RGBA of each cell: clear where it speaks for the label, dark where it counts nothing, orange where it speaks against. */
export function shadeOf({ weights }: Pick<Grid, 'weights'>): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(weights.length * 4)
  weights.forEach((weight, index) => {
    const against = Math.max(0, -weight)
    const rgb = AGAINST.map((value) => value * against)
    pixels.set([...rgb, 255 * DARKEST * (1 - Math.max(0, weight))], index * 4)
  })
  return pixels
}

/** Whether no part counts by itself. */
export function isEmpty({ segments, grid }: Evidence): boolean {
  return [...segments.map(({ weight }) => weight), ...(grid?.weights ?? [])].every((weight) => weight === 0)
}

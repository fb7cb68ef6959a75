/** What counted in a text, as pieces to be shown. */

export interface Segment {
  /** In characters as the server counts them: code points, not the halves of which JavaScript makes some. */
  start: number
  end: number
  /** By how much the score falls without the segment, -1..1. */
  fall: number
  /** In shares of the greatest fall, -1..1. */
  weight: number
}

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

/** Fainter tints cannot be told from none. */
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

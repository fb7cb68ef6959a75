/** The part of a text that a search found. */

/** So many characters are left standing before the place that was found. */
const BEFORE = 40
/** What is left of a word that was cut through; scripts without blanks have none. */
const HALF_WORD = /^\S{1,15}\s+/

/** Where the words begin in the text, whatever the case; null where they do not stand in it. */
export function placeOf(text: string, words: string): { from: number; to: number } | null {
  const query = words.trim().toLowerCase()
  // Some letters are longer in lower case; then the places would be off.
  const lower = text.toLowerCase()
  if (!query || lower.length !== text.length) return null
  const from = lower.indexOf(query)
  return from < 0 ? null : { from, to: from + query.length }
}

export interface Excerpt {
  before: string
  match: string
  after: string
}

/** A text cut so that what was found is among its first characters; all of it in `before` where nothing was. */
export function excerptOf(text: string, words: string): Excerpt {
  const place = placeOf(text, words)
  if (!place) return { before: text, match: '', after: '' }
  const before = text.slice(Math.max(0, place.from - BEFORE), place.from)
  return {
    before: place.from <= BEFORE ? before : `…${before.replace(HALF_WORD, '')}`,
    match: text.slice(place.from, place.to),
    after: text.slice(place.to),
  }
}

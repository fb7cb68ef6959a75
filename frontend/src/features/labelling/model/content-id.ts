import type { Annotation } from '../../../lib/api/types'

/** A name made of an annotation's content without its score: the same wherever it is read. */
export function contentId(annotation: Annotation): string {
  const content = Object.entries(annotation).filter(([key, value]) => key !== 'id' && key !== 'score' && value != null)
  const text = JSON.stringify(content.sort(([one], [other]) => (one < other ? -1 : 1)))
  return `obj_${hash(text, 1)}${hash(text, 2)}`
}

/** FNV-1a of 32 bits, begun by a seed. */
function hash(text: string, seed: number): string {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value >>> 0).toString(36).padStart(7, '0')
}

/** The predictions for an item in a few words: each once, with its count and score. Pure. */
import { formatFraction } from '../charts/format/format'
import { annotationText } from '.'
import type { AnnotationLike } from './kind'

const MOST = 4

export function predictionText(annotations: readonly AnnotationLike[]): string {
  const entries = new Map<string, { count: number; score: number | null }>()
  for (const one of annotations) {
    const text = annotationText(one)
    if (text === null) continue
    const before = entries.get(text)
    const score = Math.max(before?.score ?? 0, one.score ?? 0)
    entries.set(text, { count: (before?.count ?? 0) + 1, score: one.score == null && before?.score == null ? null : score })
  }
  const parts = [...entries].map(([text, { count, score }]) =>
    [count > 1 ? `${text} ×${count}` : text, ...(score === null ? [] : [formatFraction(score)])].join(' '),
  )
  return parts.length > MOST ? `${parts.slice(0, MOST).join(' · ')} · …` : parts.join(' · ')
}

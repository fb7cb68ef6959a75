/** The form behind a split: rows of "where this is that, call it so". */
import type { Plan } from '../api/label-changes'

export interface PartDraft {
  key: string
  name: string
  value: string
  label: string
}

export const emptyPart = (): PartDraft => ({ key: crypto.randomUUID(), name: '', value: '', label: '' })

/** The plan that the rows describe; null while none of them is complete. */
export function splitPlan(source: string, by: 'metadata' | 'attribute', drafts: readonly PartDraft[]): Plan | null {
  const parts = drafts
    .map((part) => ({ by, items: [], name: part.name.trim(), value: part.value.trim(), label: part.label.trim() }))
    .filter((part) => part.name && part.label)
  return parts.length ? { kind: 'split', source, parts } : null
}

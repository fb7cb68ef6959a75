/** Many pictures that carry the same suggestion. */
import { labelsOf, ofLabels, type ItemAnnotations } from '../../../answers/annotations'
import type { Annotation, Item } from '../../../lib/api/types'
import type { Shown } from './operation'
import { annotationsOf } from './annotations-of'

export interface Suggested {
  item: Item
  annotations: Annotation[]
  by: string
  confidence: number
}

interface Change {
  project: string
  item: string
  before: ItemAnnotations
  after: ItemAnnotations
  shown: Shown | null
}

/** The changes that take a label over for all of them, and those that take it back. */
export function batchChanges(
  project: string,
  items: readonly Suggested[],
  label: string,
  takesSeveral: boolean,
): { forth: Change[]; back: Change[] } {
  const forth = items.map(({ item, annotations, by }) => ({
    project,
    item: item.id,
    before: annotationsOf(item),
    // Where a picture carries several labels, accepting one alone would mean that the others are absent.
    after: ofLabels(takesSeveral ? labelsOf(annotations) : [label]),
    shown: { by, annotations },
  }))
  const back = forth.map(({ item, before, after }) => ({ project, item, before: after, after: before, shown: null }))
  return { forth, back }
}

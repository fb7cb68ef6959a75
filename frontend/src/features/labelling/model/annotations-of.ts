/** Annotations of an item: null means nobody looked, an empty list means that nothing is there. */
import { besidesLabels, labelsOf, ofLabels, type ItemAnnotations } from '../../../answers/annotations'
import type { Annotation } from '../../../lib/api/types'
import { isAlike } from './operation'

interface Judged {
  state: string
  annotations: Annotation[]
}

export function annotationsOf(item: Judged): ItemAnnotations {
  return item.state === 'unlabelled' ? null : item.annotations
}

/** The annotations after a label was picked: one label replaces the other, several are switched on and off. */
export function picked(before: ItemAnnotations, label: string, takesSeveral: boolean): ItemAnnotations {
  const now = labelsOf(before)
  if (!takesSeveral) return now.length === 1 && now[0] === label ? before : ofLabels([label])
  return ofLabels(now.includes(label) ? now.filter((one) => one !== label) : [...now, label])
}

/** Whether two states are equal, ignoring the order of class labels and the scores of models. */
export function isSame(one: ItemAnnotations, other: ItemAnnotations): boolean {
  if (one === null || other === null) return one === other
  return isAlike(labelsOf(one).sort(), labelsOf(other).sort()) && isAlike(besidesLabels(one), besidesLabels(other))
}

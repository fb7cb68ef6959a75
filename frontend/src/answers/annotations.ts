/** The annotations of an item as a whole (labels, a number) among all its annotations. Pure. */
import type { Annotation } from '../lib/api/types'

/** Null means nobody looked, an empty list means that nothing is there. */
export type ItemAnnotations = Annotation[] | null

/** The labels of the item as a whole. */
export function labelsOf(annotations: ItemAnnotations): string[] {
  return (annotations ?? []).flatMap((annotation) => (annotation.kind === 'class' ? [annotation.label] : []))
}

export function ofLabels(labels: readonly string[]): Annotation[] {
  return labels.map((label) => ({ kind: 'class', label }))
}

/** The labels with how sure a model was, as far as they are of the item as a whole. */
export function scoredLabelsOf(annotations: ItemAnnotations) {
  return (annotations ?? []).flatMap((one) => (one.kind === 'class' ? [one] : []))
}

/** The item's number; null where there is none. */
export function valueOf(annotations: ItemAnnotations): number | null {
  const found = (annotations ?? []).find((annotation) => annotation.kind === 'value')
  return found?.kind === 'value' ? found.value : null
}

export function ofValue(value: number): Annotation[] {
  return [{ kind: 'value', value }]
}

/** All but the labels of the item as a whole. */
export function besidesLabels(annotations: ItemAnnotations): Annotation[] {
  return (annotations ?? []).filter(({ kind }) => kind !== 'class')
}

/** What is drawn: all annotations but those of the item as a whole. */
export function objectsOf(annotations: ItemAnnotations): Annotation[] {
  return besidesLabels(annotations).filter(({ kind }) => kind !== 'value')
}

/** How many objects are drawn: polygons with one id and label are parts of one. */
export function numObjects(annotations: ItemAnnotations): number {
  const keys = objectsOf(annotations).map((each, place) =>
    each.kind === 'polygon' && each.id != null ? JSON.stringify([each.id, each.label]) : place,
  )
  return new Set(keys).size
}

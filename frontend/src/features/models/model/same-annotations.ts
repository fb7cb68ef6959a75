/** Whether two lists of annotations are equal, in any order and whoever made them. */
import type { AnnotationLike } from '../../../answers/kind'

export function isSameAnnotations(one: readonly AnnotationLike[], other: readonly AnnotationLike[]): boolean {
  return serialized(one) === serialized(other)
}

function serialized(annotations: readonly AnnotationLike[]): string {
  return annotations
    .map(({ kind, label, value, x, y, width, height }) => JSON.stringify([kind, label, value, x, y, width, height]))
    .sort()
    .join()
}

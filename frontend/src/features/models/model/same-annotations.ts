/** Whether the same is said twice of an item, in any order and whoever said it. */
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

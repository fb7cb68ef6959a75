import { ItemThumb } from '../items/item-thumb'
import type { ShownItem } from '../items/kind'
import type { Item, Label } from '../lib/api/types'
import { AnnotationOverlay } from './annotation-overlay'
import type { AnnotationLike } from './kind'

interface AnnotatedThumbProps {
  item: ShownItem & Pick<Item, 'media'>
  annotations: readonly AnnotationLike[]
  labels: readonly Label[]
  alt: string
  size?: number
}

/** What an item looks like, with what is drawn on it. */
export function AnnotatedThumb({ item, annotations, labels, alt, size }: AnnotatedThumbProps) {
  const overlay = <AnnotationOverlay item={item} annotations={annotations} labels={labels} />
  return <ItemThumb item={item} alt={alt} overlay={overlay} {...(size ? { size } : {})} />
}

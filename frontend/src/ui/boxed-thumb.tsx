import { Box } from '@mantine/core'

import type { Item, Label } from '../lib/api/types'
import { ItemThumb, type ShownItem } from './item-thumb'
import { type Said, SaidOverlay } from './said-overlay'

interface BoxedThumbProps {
  item: ShownItem & Pick<Item, 'media'>
  annotations: readonly Said[]
  labels: readonly Label[]
  alt: string
  size?: number
}

/** What an item looks like, with the boxes that are said of it. */
export function BoxedThumb({ item, annotations, labels, alt, size }: BoxedThumbProps) {
  if (item.text !== null || item.row) return <ItemThumb item={item} alt={alt} {...(size ? { size } : {})} />
  return (
    <Box pos="relative" w={size ?? '100%'} flex={size ? 'none' : undefined}>
      <ItemThumb item={item} alt={alt} />
      <SaidOverlay item={item} annotations={annotations} labels={labels} />
    </Box>
  )
}

import { Box } from '@mantine/core'

import type { Item, Label } from '../lib/api/types'
import { PictureThumb } from './picture-thumb'
import { type Said, SaidOverlay } from './said-overlay'

interface BoxedThumbProps {
  item: Pick<Item, 'thumbnail_url' | 'media'>
  annotations: readonly Said[]
  labels: readonly Label[]
  alt: string
  size?: number
}

/** A thumbnail with the boxes that are said of it. */
export function BoxedThumb({ item, annotations, labels, alt, size }: BoxedThumbProps) {
  return (
    <Box pos="relative" w={size ?? '100%'} flex={size ? 'none' : undefined}>
      <PictureThumb src={item.thumbnail_url} alt={alt} />
      <SaidOverlay item={item} annotations={annotations} labels={labels} />
    </Box>
  )
}

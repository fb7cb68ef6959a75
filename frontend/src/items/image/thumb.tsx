import { Box } from '@mantine/core'

import type { ThumbProps } from '../kind'
import { PictureThumb } from './picture'

/** The thumbnail, with what lies over it. */
export function Thumb({ item, alt, size, overlay }: ThumbProps) {
  const src = item.thumbnail_url ?? ''
  if (overlay === undefined) return <PictureThumb src={src} alt={alt} {...(size ? { size } : {})} />
  return (
    <Box pos="relative" w={size ?? '100%'} flex={size ? 'none' : undefined}>
      <PictureThumb src={src} alt={alt} />
      {overlay}
    </Box>
  )
}

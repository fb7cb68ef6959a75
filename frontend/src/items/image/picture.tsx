import { Box } from '@mantine/core'
import { useState } from 'react'

import classes from './picture.module.css'

/** A thumbnail in a square that is there before the picture is. */
export function PictureThumb({ src, alt, size }: { src: string; alt: string; size?: number | string }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <Box className={classes.frame} w={size ?? '100%'}>
      {isBroken ? (
        <span className={classes.broken} role="img" aria-label={alt} />
      ) : (
        <img
          className={classes.picture}
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      )}
    </Box>
  )
}

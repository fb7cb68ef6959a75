import { Box } from '@mantine/core'
import type { CSSProperties } from 'react'

import classes from './excerpt.module.css'

interface ExcerptProps {
  text: string
  /** Lines shown; their height is reserved. */
  lines?: number
  width?: number | string
}

/** The beginning of a text, in a frame of the same height whatever the text. */
export function Excerpt({ text, lines = 5, width = '100%' }: ExcerptProps) {
  return (
    <Box className={classes.frame} w={width} maw="100%" data-text>
      <div className={classes.text} style={{ '--lines': lines } as CSSProperties} dir="auto">
        {text}
      </div>
    </Box>
  )
}

import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './picture-page.module.css'

/** A page of one picture, as high as the window: a head, and below it the picture with a column beside it. */
export function PicturePage({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

interface PictureBodyProps {
  stage: ReactNode
  /** The way on: stays in sight while the column above it scrolls. */
  foot: ReactNode
  children: ReactNode
}

/** The picture and the column beside it; the column scrolls by itself. */
export function PictureBody({ stage, foot, children }: PictureBodyProps) {
  return (
    <div className={classes.body}>
      {stage}
      <Paper className={classes.side} p={0}>
        <div className={classes.column}>{children}</div>
        <div className={classes.foot}>{foot}</div>
      </Paper>
    </div>
  )
}

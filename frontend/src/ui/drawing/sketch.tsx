import { createContext, type ReactNode, useContext } from 'react'

import classes from './drawing.module.css'

/** Hills under a sun: a picture of 42 x 34. */
export function PictureSketch() {
  return (
    <>
      <rect className={classes.sheet} width={42} height={34} rx={3} />
      <circle className={classes.warm} cx={32} cy={9} r={4} />
      <path className={classes.fresh} d="M3 31 V25 L14 14 L25 25 L30 21 L39 30 V31 Z" />
    </>
  )
}

/** What drawings of items show; a picture where no project says otherwise. */
export const SketchOfItems = createContext<ReactNode>(<PictureSketch />)

/** One item of the project, 42 x 34. */
export function ItemSketch() {
  return useContext(SketchOfItems)
}

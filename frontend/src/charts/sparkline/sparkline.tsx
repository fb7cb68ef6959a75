import classes from './sparkline.module.css'
import { sparkPath } from './spark-path'

interface SparklineProps {
  values: readonly (number | null)[]
  /** ItemAnnotations to readers of the page who do not see the line. */
  title: string
  width_px?: number
  height_px?: number
}

/** A word-sized line of values without axes. */
export function Sparkline({ values, title, width_px = 88, height_px = 22 }: SparklineProps) {
  return (
    <svg className={classes.root} width={width_px} height={height_px} role="img" aria-label={title}>
      <path d={sparkPath(values, width_px, height_px)} />
    </svg>
  )
}

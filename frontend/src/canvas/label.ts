import type { Label } from '../lib/api/types'

/** A label as the canvas shows it. */
export interface CanvasLabel extends Label {
  /** Shown in place of the name. */
  title?: string
  /** Its areas are hatched: they count neither in training nor in metrics. */
  isHatched?: boolean
}

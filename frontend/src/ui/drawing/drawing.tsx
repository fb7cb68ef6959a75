import classes from './drawing.module.css'
import { type Scene, SCENES } from './scenes'

/** A small drawing of a thing or a step, in the colours of the theme; decorative beside words, hence hidden from screen readers. */
export function Drawing({ scene, width = 96 }: { scene: Scene; width?: number }) {
  return (
    <svg className={`${classes.roles} ${classes.drawing}`} viewBox="0 0 96 72" width={width} height={width * 0.75} aria-hidden>
      <rect className={classes.soft} width={96} height={72} rx={8} />
      {SCENES[scene]}
    </svg>
  )
}

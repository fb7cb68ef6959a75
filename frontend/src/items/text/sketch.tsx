import classes from '../../ui/drawing/drawing.module.css'

/** Lines on a sheet of 42 x 34, one of them marked. */
export function TextSketch() {
  return (
    <>
      <rect className={classes.sheet} width={42} height={34} rx={3} />
      <path className={classes.line} d="M6 8 H36 M6 26 H28" style={{ strokeWidth: 2 }} />
      <path className={classes.line} d="M6 17 H13 M31 17 H36" style={{ strokeWidth: 2 }} />
      <rect className={classes.fresh} x={16} y={14} width={12} height={6} rx={2} />
    </>
  )
}

import classes from '../../ui/drawing/drawing.module.css'

/** A table of 42 x 34 with a head and a column that is told apart. */
export function TableSketch() {
  return (
    <>
      <rect className={classes.sheet} width={42} height={34} rx={3} />
      <path className={classes.accent} d="M3 0 H39 A3 3 0 0 1 42 3 V9 H0 V3 A3 3 0 0 1 3 0 Z" />
      <rect className={classes.fresh} x={29} y={10} width={12} height={23} fillOpacity={0.7} />
      <path className={classes.line} d="M14 9 V34 M28 9 V34 M1 17 H41 M1 26 H41" style={{ strokeWidth: 1.5 }} />
    </>
  )
}

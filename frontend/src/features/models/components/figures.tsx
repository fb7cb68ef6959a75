import type { ReactNode } from 'react'

import classes from './figures.module.css'

/** Large numbers side by side, read aloud when they change. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className={classes.figures} aria-live="polite">
      {children}
    </dl>
  )
}

export function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

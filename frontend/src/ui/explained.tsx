import { Tooltip } from '@mantine/core'
import { type ReactNode, useId } from 'react'

import classes from './explained.module.css'

interface ExplainedProps {
  /** What the words mean; empty shows them alone. */
  help: string | undefined
  children: ReactNode
}

/** Words with their meaning: on hover, by touch, and when the keyboard comes to them. Screen readers read it as their description. */
export function Explained({ help, children }: ExplainedProps) {
  const id = useId()
  if (!help) return children
  return (
    <Tooltip label={help} multiline maw={280} openDelay={200} events={{ hover: true, focus: true, touch: true }}>
      <span className={classes.root} tabIndex={0} role="note" aria-describedby={id}>
        {children}
        <span id={id} hidden>
          {help}
        </span>
      </span>
    </Tooltip>
  )
}

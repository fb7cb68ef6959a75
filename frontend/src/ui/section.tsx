import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './section.module.css'

interface SectionProps {
  title: ReactNode
  help?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A titled box of a page. */
export function Section({ title, help, actions, children }: SectionProps) {
  return (
    <Paper component="section" miw={0}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Text component="h2" size="sm" fw={600} m={0}>
            {title}
          </Text>
          {help && (
            <Text size="xs" c="dimmed">
              {help}
            </Text>
          )}
        </div>
        <div className={classes.actions}>{actions}</div>
      </div>
      {children}
    </Paper>
  )
}

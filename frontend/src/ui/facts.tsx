import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './facts.module.css'

export interface Fact {
  name: string
  value: ReactNode
  help?: string
}

/** Names and values below each other. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.root}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <Tooltip label={fact.help} disabled={!fact.help}>
            <dt>{fact.name}</dt>
          </Tooltip>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

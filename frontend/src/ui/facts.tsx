import type { ReactNode } from 'react'

import { Explained } from './explained'
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
          <dt>
            <Explained help={fact.help}>{fact.name}</Explained>
          </dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

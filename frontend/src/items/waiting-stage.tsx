import { Center, Loader } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './waiting-stage.module.css'

/** The placeholder of an item that is loading. */
export function WaitingStage({ children }: { children?: ReactNode }) {
  return (
    <div className={classes.stage}>
      <Center h="100%">
        <Loader />
      </Center>
      {children}
    </div>
  )
}

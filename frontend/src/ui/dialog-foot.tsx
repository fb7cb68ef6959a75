import { Group } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './dialog-foot.module.css'

/** The buttons of a dialog that may be longer than the window: they stay in sight while what is above them scrolls. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes.foot}>
      {children}
    </Group>
  )
}

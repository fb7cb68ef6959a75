import { Notifications } from '@mantine/notifications'

import { useElementHeight } from '../lib/use-element-height'
import classes from './notices.module.css'

/** More would fill the rail of a low window; the others wait for their turn. */
const SHOWN = 3
const HIGHEST_PX = 260

/**
 * What was done or refused, for a while. Notices lie in the rail, which makes space for them: pages, bars and dialogs have actions in
 * every corner, and a notice must not lie over one. In a narrow window without a rail they lie at the bottom, above a page's bar.
 */
export function Notices() {
  const measured = useElementHeight('--notices-height')
  return (
    <div ref={measured} className={classes.root}>
      <Notifications position="bottom-left" limit={SHOWN} notificationMaxHeight={HIGHEST_PX} withinPortal={false} />
    </div>
  )
}

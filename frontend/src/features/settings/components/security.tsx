import { Stack } from '@mantine/core'

import { DeleteAccount } from './delete-account'
import { SecondFactor } from './second-factor'
import { Sessions } from './sessions'

/** What keeps one's own account safe. */
export function Security() {
  return (
    <Stack maw={880}>
      <SecondFactor />
      <Sessions />
      <DeleteAccount />
    </Stack>
  )
}

import { expect, it } from 'vitest'

import type { ProjectAccess } from '../../../lib/api/types'
import { leavers } from './leavers'

type Person = ProjectAccess['people'][number]
const person = (user: string, workspace_role: Person['workspace_role'], named_role: Person['role'], role: Person['role']): Person => ({
  user,
  name: user,
  email: `${user}@example.org`,
  workspace_role,
  named_role,
  role,
})

it('leaves owners, people who are named and guests who see nothing anyway', () => {
  const people = [
    person('owner', 'owner', null, 'owner'),
    person('named', 'viewer', 'labeller', 'labeller'),
    person('guest', 'guest', null, null),
    person('viewer', 'viewer', null, 'viewer'),
  ]
  expect(leavers({ people }).map(({ user }) => user)).toEqual(['viewer'])
})

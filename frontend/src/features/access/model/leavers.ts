import type { ProjectAccess } from '../../../lib/api/types'

/** The people who see the project now and would not if it were restricted: all but owners and those who are named. */
export function leavers({ people }: Pick<ProjectAccess, 'people'>): ProjectAccess['people'] {
  return people.filter(({ role, named_role, workspace_role }) => role && !named_role && workspace_role !== 'owner')
}

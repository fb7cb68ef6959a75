/** Names behind the ids of people. */
import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'
import { useMe, useWorkspace } from './session'

/** Finds the name of a member; empty for people who have left and for the platform itself. */
export function usePersonName(): (user: string) => string {
  const me = useMe()
  const workspace = useWorkspace()
  const members = useQuery({
    queryKey: ['members', workspace?.id],
    enabled: workspace !== undefined,
    staleTime: 60_000,
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/members', { params: { path: { workspace_id: workspace?.id ?? '' } } })),
  })
  return (user) => {
    if (me.data?.id === user) return me.data.name
    return members.data?.find((member) => member.user === user)?.name ?? ''
  }
}

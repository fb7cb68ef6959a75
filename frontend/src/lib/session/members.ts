import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** The members of a workspace, with their roles. */
export function useMembers(workspace: string) {
  return useQuery({
    queryKey: ['workspace', workspace, 'members'],
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/members', { params: { path: { workspace_id: workspace } } })),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import { ME } from '../../../lib/session/session'

export type Operation = components['schemas']['OperationOut']

const LIVE_MS = 5_000

/** Where the storage of a workspace is, and what its workers do now. */
export function useOperation(workspace_id: string) {
  return useQuery({
    queryKey: ['workspace', workspace_id, 'operation'],
    refetchInterval: LIVE_MS,
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/operation', { params: { path: { workspace_id } } })),
  })
}

export function useRename(workspace_id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data(api.PATCH('/api/workspaces/{workspace_id}', { params: { path: { workspace_id } }, body: { name } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ME }),
  })
}

export function useLeaveWorkspace(workspace_id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.POST('/api/workspaces/{workspace_id}/leave', { params: { path: { workspace_id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ME }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Role } from '../../../lib/api/types'

const key = (workspace: string) => ['workspace', workspace, 'invitations'] as const

export function useInvitations(workspace: string) {
  return useQuery({
    queryKey: key(workspace),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/invitations', { params: { path: { workspace_id: workspace } } })),
  })
}

export interface NewInvitation {
  role: Role
  email: string
  days: number
  max_uses: number
}

export function useInvite(workspace: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: NewInvitation) =>
      data(api.POST('/api/workspaces/{workspace_id}/invitations', { params: { path: { workspace_id: workspace } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: key(workspace) }),
  })
}

export function useRevokeInvitation(workspace: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (invitation_id: string) =>
      api.DELETE('/api/workspaces/{workspace_id}/invitations/{invitation_id}', {
        params: { path: { workspace_id: workspace, invitation_id } },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key(workspace) }),
  })
}

export function useResetLink(workspace: string) {
  return useMutation({
    mutationFn: (user_id: string) =>
      data(
        api.POST('/api/workspaces/{workspace_id}/members/{user_id}/password-reset', {
          params: { path: { workspace_id: workspace, user_id } },
        }),
      ),
  })
}

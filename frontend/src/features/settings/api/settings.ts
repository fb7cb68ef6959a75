import { type MutationMeta, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Role } from '../../../lib/api/types'
import { ME } from '../../../lib/session/session'

const at = (workspace_id: string) => ({ path: { workspace_id } })
const key = (workspace: string, what: string) => ['workspace', workspace, what] as const

export function useMembers(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'members'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/members', { params: at(workspace) })),
  })
}

export function useKeys(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'keys'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/keys', { params: at(workspace) })),
  })
}

export function useAudit(workspace: string) {
  return useInfiniteQuery({
    queryKey: key(workspace, 'audit'),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/workspaces/{workspace_id}/audit', { params: { ...at(workspace), query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** A change of the workspace; everything that is shown of it is asked for again. */
function useChange<Input>(workspace: string, change: (input: Input) => Promise<unknown>, meta?: MutationMeta) {
  const queries = useQueryClient()
  return useMutation({ meta, mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: ['workspace', workspace] }) })
}

export const useAddMember = (workspace: string) =>
  useChange(
    workspace,
    (body: { email: string; role: Role }) => api.POST('/api/workspaces/{workspace_id}/members', { params: at(workspace), body }),
    { isErrorShown: true },
  )

export const useSetRole = (workspace: string) =>
  useChange(workspace, ({ user_id, role }: { user_id: string; role: Role }) =>
    api.PATCH('/api/workspaces/{workspace_id}/members/{user_id}', {
      params: { path: { workspace_id: workspace, user_id } },
      body: { role },
    }),
  )

export const useRemoveMember = (workspace: string) =>
  useChange(workspace, (user_id: string) =>
    api.DELETE('/api/workspaces/{workspace_id}/members/{user_id}', { params: { path: { workspace_id: workspace, user_id } } }),
  )

export const useRevokeKey = (workspace: string) =>
  useChange(workspace, (key_id: string) =>
    api.DELETE('/api/workspaces/{workspace_id}/keys/{key_id}', { params: { path: { workspace_id: workspace, key_id } } }),
  )

export function useMakeKey(workspace: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { name: string; role: Role }) =>
      data(api.POST('/api/workspaces/{workspace_id}/keys', { params: at(workspace), body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: key(workspace, 'keys') }),
  })
}

export interface ProfileChange {
  name?: string
  password?: { old: string; new: string }
}

export function useChangeProfile(meta?: MutationMeta) {
  const queries = useQueryClient()
  return useMutation({
    meta,
    mutationFn: (body: ProfileChange) => data(api.PATCH('/api/auth/me', { body })),
    onSuccess: (me) => queries.setQueryData(ME, me),
  })
}

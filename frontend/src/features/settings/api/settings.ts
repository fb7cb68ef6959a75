import { type MutationMeta, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import type { Role } from '../../../lib/api/types'
import { ME } from '../../../lib/session/session'

const at = (workspace_id: string) => ({ path: { workspace_id } })
const key = (workspace: string, what: string) => ['workspace', workspace, what] as const

export function useKeys(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'keys'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/keys', { params: at(workspace) })),
  })
}

/** The projects of the workspace as one member sees them. */
export function useMemberProjects(workspace: string, user_id: string) {
  return useQuery({
    queryKey: [...key(workspace, 'member-projects'), user_id],
    queryFn: () =>
      data(
        api.GET('/api/workspaces/{workspace_id}/members/{user_id}/projects', {
          params: { path: { workspace_id: workspace, user_id } },
        }),
      ),
  })
}

export type AuditTopic = components['schemas']['Topic']

/** Which rows of the audit log; null filters nothing. Dates are days as the person's calendar has them. */
export interface AuditFilter {
  actor: string | null
  topic: AuditTopic | null
  /** Id of the one that it was done in. */
  project: string | null
  since: string | null
  until: string | null
}

/** The filter as the API takes it; the last day is within. */
export function auditQuery(filter: AuditFilter) {
  const until = filter.until ? new Date(`${filter.until}T00:00`) : null
  until?.setDate(until.getDate() + 1)
  return {
    ...(filter.actor && { actor: filter.actor }),
    ...(filter.topic && { topic: filter.topic }),
    ...(filter.project && { project: filter.project }),
    ...(filter.since && { since: new Date(`${filter.since}T00:00`).toISOString() }),
    ...(until && { until: until.toISOString() }),
  }
}

export function useAudit(workspace: string, filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: [...key(workspace, 'audit'), filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/workspaces/{workspace_id}/audit', {
          params: { ...at(workspace), query: { limit: 50, cursor: pageParam, ...auditQuery(filter) } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useAuditActors(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'audit-actors'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/audit/actors', { params: at(workspace) })),
  })
}

/** The projects that the log has rows from, the deleted ones too. */
export function useAuditProjects(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'audit-projects'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/audit/projects', { params: at(workspace) })),
  })
}

/** Whether a row was changed, added or taken away since it was written; asked for once a visit. */
export function useAuditVerified(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'audit-verified'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/audit/verify', { params: at(workspace) })),
  })
}

export type Use = components['schemas']['UseOut']

export function useUsage(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'usage'),
    queryFn: () => data(api.GET('/api/workspaces/{workspace_id}/usage', { params: at(workspace) })),
  })
}

/** What the scope of a key can name. */
export function useProjectChoices(workspace: string) {
  return useQuery({
    queryKey: key(workspace, 'project-choices'),
    queryFn: () => data(api.GET('/api/projects', { params: { query: { workspace, limit: 200 } } })),
  })
}

export function useDeploymentChoices(project: string | null) {
  return useQuery({
    queryKey: ['project', project, 'deployment-choices'],
    enabled: project !== null,
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project: project ?? '', limit: 200 } } })),
  })
}

/** A change of the workspace; everything that is shown of it is asked for again. */
function useChange<Input>(workspace: string, change: (input: Input) => Promise<unknown>, meta?: MutationMeta) {
  const queries = useQueryClient()
  return useMutation({ meta, mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: ['workspace', workspace] }) })
}

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
    mutationFn: (body: components['schemas']['KeyIn']) =>
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

/** Whether this installation sends mail. */
export function useSendsMail() {
  return useQuery({
    queryKey: ['sends-mail'],
    staleTime: Infinity,
    queryFn: async () => (await data(api.GET('/api/auth/options'))).sends_mail,
  })
}

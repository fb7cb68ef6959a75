import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { Role } from '../api/types'

const key = (project: string) => ['project', project, 'access'] as const

/** Who has access to a project, and with which role. */
export function useProjectAccess(project: string) {
  return useQuery({
    queryKey: key(project),
    queryFn: () => data(api.GET('/api/projects/{project_id}/access', { params: { path: { project_id: project } } })),
  })
}

/** After any change: the project itself says whether it is restricted, and so do the cards. */
function useChanged(project: string) {
  const queries = useQueryClient()
  return () => Promise.all([['project', project], ['projects'], ['workspace']].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export function useRestrictProject(project: string) {
  const onSuccess = useChanged(project)
  return useMutation({
    mutationFn: (is_restricted: boolean) =>
      data(api.PUT('/api/projects/{project_id}/access', { params: { path: { project_id: project } }, body: { is_restricted } })),
    onSuccess,
  })
}

export function useNamePerson(project: string) {
  const onSuccess = useChanged(project)
  return useMutation({
    mutationFn: ({ user_id, role }: { user_id: string; role: Role }) =>
      data(
        api.PUT('/api/projects/{project_id}/access/{user_id}', {
          params: { path: { project_id: project, user_id } },
          body: { role },
        }),
      ),
    onSuccess,
  })
}

export function useRemovePerson(project: string) {
  const onSuccess = useChanged(project)
  return useMutation({
    mutationFn: (user_id: string) =>
      api.DELETE('/api/projects/{project_id}/access/{user_id}', { params: { path: { project_id: project, user_id } } }),
    onSuccess,
  })
}

export function useInviteToProject(project: string, workspace: string) {
  const onSuccess = useChanged(project)
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { role: Role; email: string }) =>
      data(
        api.POST('/api/workspaces/{workspace_id}/invitations', {
          params: { path: { workspace_id: workspace } },
          body: { ...body, project, days: 7, max_uses: 1 },
        }),
      ),
    onSuccess,
  })
}

import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { projectKey } from '../../../lib/project/project'

const projectsKey = (workspace?: string) => ['projects', workspace] as const

export const SORTS = ['activity', 'name', 'created'] as const
export type Sort = (typeof SORTS)[number]

/** Cards of a workspace's projects; while others are looked for, those before stay. */
export function useProjectCards(workspace: string | undefined, search: string, sort: Sort) {
  return useInfiniteQuery({
    queryKey: [...projectsKey(workspace), 'cards', search, sort],
    enabled: workspace !== undefined,
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/project-cards', { params: { query: { workspace: workspace ?? '', search, sort, limit: 24, cursor: pageParam } } }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useTasks() {
  return useQuery({ queryKey: ['tasks'], queryFn: () => data(api.GET('/api/tasks')), staleTime: Infinity })
}

export interface NewProject {
  workspace: string
  name: string
  description: string
  task: string
  task_options: Record<string, string>
}

export function useCreateProject() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: NewProject) => data(api.POST('/api/projects', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  })
}

/** Projects that were deleted and can be brought back. */
export function useDeletedProjects(workspace?: string) {
  return useInfiniteQuery({
    queryKey: [...projectsKey(workspace), 'deleted'],
    enabled: workspace !== undefined,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects', { params: { query: { workspace, deleted: true, limit: 30, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useDeleteProject() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (project: string) => data(api.DELETE('/api/projects/{project_id}', { params: { path: { project_id: project } } })),
    onSuccess: (_done, project) => {
      queries.removeQueries({ queryKey: projectKey(project) })
      return queries.invalidateQueries({ queryKey: ['projects'] })
    },
  })
}

export function useRestoreProject() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (project: string) => data(api.POST('/api/projects/{project_id}/restore', { params: { path: { project_id: project } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  })
}

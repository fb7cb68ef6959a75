import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const projectsKey = (workspace?: string) => ['projects', workspace] as const

export function useProjects(workspace?: string) {
  return useInfiniteQuery({
    queryKey: projectsKey(workspace),
    enabled: workspace !== undefined,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => data(api.GET('/api/projects', { params: { query: { workspace, limit: 30, cursor: pageParam } } })),
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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const MOVING = new Set(['queued', 'leased', 'running'])

export function useArchive(project: string) {
  return useQuery({
    queryKey: ['versions', project, 'archive'],
    queryFn: async () => (await data(api.GET('/api/labeling/archives/{project_id}', { params: { path: { project_id: project } } }))).last,
  })
}

/** The newest job that made or makes an archive. */
export function useArchiveJob(project: string) {
  return useQuery({
    queryKey: ['jobs', project, 'archive'],
    queryFn: async () => {
      const page = await data(api.GET('/api/jobs', { params: { query: { project, kind: 'archive_export', limit: 1 } } }))
      return page.items[0] ?? null
    },
    refetchInterval: (query) => (query.state.data && MOVING.has(query.state.data.state) ? 1000 : false),
  })
}

export const isMoving = (job: { state: string } | null | undefined) => job != null && MOVING.has(job.state)

export function useMakeArchive(project: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/labeling/archives/{project_id}', { params: { path: { project_id: project } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

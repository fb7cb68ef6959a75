import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Job } from '../../../lib/api/types'

const POLL_MS = 1500

export const isEnded = (job: Job) => !['queued', 'leased', 'running'].includes(job.state)

export function useJobs(project: string, state: Job['state'] | null) {
  return useInfiniteQuery({
    queryKey: ['jobs', project, 'list', state],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/jobs', { params: { query: { project, state: state ?? undefined, limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => (query.state.data?.pages.some((page) => page.items.some((job) => !isEnded(job))) ? POLL_MS : false),
  })
}

/** The whole log so far; grows while the job runs. */
export function useJobLog(job: Job) {
  return useQuery({
    queryKey: ['jobs', job.id, 'log'],
    queryFn: () => data(api.GET('/api/jobs/{job_id}/log', { params: { path: { job_id: job.id }, query: { offset: 0 } } })),
    refetchInterval: isEnded(job) ? false : POLL_MS,
  })
}

export function useCancelJob() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

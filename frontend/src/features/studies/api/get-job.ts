import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const LIVE_MS = 1500

const jobQuery = (job: string | null, isRunning: boolean) =>
  queryOptions({
    queryKey: ['jobs', job],
    enabled: job !== null,
    queryFn: () => data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: job ?? '' } } })),
    refetchInterval: isRunning ? LIVE_MS : false,
  })

/** The job of a trial: stage, progress, warnings. */
export function useTrialJob(job: string | null, isRunning: boolean) {
  return useQuery(jobQuery(job, isRunning))
}

/** A job until it has ended. */
export function useOpenJob(job: string) {
  return useQuery({
    ...jobQuery(job, true),
    refetchInterval: ({ state }) => (state.data?.ended_at ? false : LIVE_MS),
  })
}

/** How far the running trials are, in their order: 0 to 1 each, and at which stage. */
export function useRunning(jobs: readonly (string | null)[]): { done: number; stage: string | null }[] {
  return useQueries({
    queries: jobs.map((job) => jobQuery(job, true)),
    combine: (found) => found.map(({ data: job }) => ({ done: job?.progress_fraction ?? 0, stage: job?.stage ?? null })),
  })
}

import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const LIVE_MS = 1500

/** The job of a trial: stage, progress, warnings. */
export function useTrialJob(job: string | null, isRunning: boolean) {
  return useQuery({
    queryKey: ['jobs', job],
    enabled: job !== null,
    queryFn: () => data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: job ?? '' } } })),
    refetchInterval: isRunning ? LIVE_MS : false,
  })
}

import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The job that reads an upload; events of the project keep it fresh. */
export function useJob(job: string) {
  return useQuery({
    queryKey: ['jobs', 'one', job],
    queryFn: () => data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: job } } })),
  })
}

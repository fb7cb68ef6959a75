import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { SplitReport } from './types'

const POLL_MS = 1500
const WORKING = new Set(['queued', 'leased', 'running'])

export interface RobustnessOf {
  artefact: string
  split: SplitReport['split']
}

/** How a model holds on altered items of a split, and the job that tries it. */
export function useRobustness({ artefact, split }: RobustnessOf) {
  return useQuery({
    queryKey: ['robustness', artefact, split],
    queryFn: () =>
      data(api.GET('/api/artefacts/{artefact_id}/robustness', { params: { path: { artefact_id: artefact }, query: { split } } })),
    refetchInterval: (query) => (WORKING.has(query.state.data?.job?.state ?? '') ? POLL_MS : false),
  })
}

export function useRobustnessTest({ artefact, split }: RobustnessOf) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: () =>
      data(api.POST('/api/artefacts/{artefact_id}/robustness', { params: { path: { artefact_id: artefact } }, body: { split } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['robustness', artefact] }),
  })
}

export function useRobustnessCancel({ artefact }: RobustnessOf) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['robustness', artefact] }),
  })
}

export const isWorking = (state: string): boolean => WORKING.has(state)

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { PlanRequest } from '../model/study-form'
import { isUnderWay } from '../model/preflight'

const LIVE_MS = 1000

/** Where the check of a training stands, asked until it has ended. */
export function usePreflight(preflight: string | null) {
  return useQuery({
    queryKey: ['preflights', preflight],
    enabled: preflight !== null,
    queryFn: () => data(api.GET('/api/preflights/{preflight_id}', { params: { path: { preflight_id: preflight ?? '' } } })),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : LIVE_MS),
  })
}

/** Has a training tried that is not started yet. */
export function useStartPreflight() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: PlanRequest) => data(api.POST('/api/preflights', { body })),
    onSuccess: (preflight) => queries.setQueryData(['preflights', preflight.id], preflight),
  })
}

/** Ends a check that runs. */
export function useCancelPreflight(preflight: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: preflight } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['preflights', preflight] }),
  })
}

/** The settings that a cure leaves; items are put aside where it says so. */
export function useCurePreflight(preflight: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cure: string) =>
      data(api.POST('/api/preflights/{preflight_id}/cures/{cure}', { params: { path: { preflight_id: preflight, cure } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['versions'] }),
  })
}

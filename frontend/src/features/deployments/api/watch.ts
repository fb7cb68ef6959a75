import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Calls are not announced by events as they arrive; counting reads many of them. */
const COUNTED_MS = 15_000
const JUDGED_MS = 60_000

export const RANGES = ['24h', '7d', '30d'] as const

export interface TimelineFilter {
  range: (typeof RANGES)[number]
  /** Id of an API key, empty of calls without one; null takes all. */
  key: string | null
  artefact: string | null
  hasTryOuts: boolean
}

/** Calls over time. */
export function useTimeline(deployment: string, { range, key, artefact, hasTryOuts }: TimelineFilter) {
  return useQuery({
    queryKey: ['timeline', deployment, range, key, artefact, hasTryOuts],
    queryFn: () =>
      data(
        api.GET('/api/deployments/{deployment_id}/timeline', {
          params: {
            path: { deployment_id: deployment },
            query: { range, try_outs: hasTryOuts, ...(key !== null && { key }), ...(artefact !== null && { artefact }) },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: COUNTED_MS,
  })
}

/** Whether the models still answer as in their tests. */
export function useDrift(deployment: string) {
  return useQuery({
    queryKey: ['drift', deployment],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/drift', { params: { path: { deployment_id: deployment } } })),
    refetchInterval: JUDGED_MS,
  })
}

/** Whether callers' items are still like the data of the models. */
export function useInputDrift(deployment: string) {
  return useQuery({
    queryKey: ['input-drift', deployment],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/input-drift', { params: { path: { deployment_id: deployment } } })),
    refetchInterval: JUDGED_MS,
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Share } from '../model/traffic'
import type { RolloutRequest } from '../model/rollout-form'

/** Calls are not announced by events as they arrive; comparing reads many of them. */
const COMPARED_MS = 15_000
const JUDGED_MS = 5000

const of = (deployment: string) => ({ params: { path: { deployment_id: deployment } } })

/** The models of a deployment beside each other, by the calls of the last days. */
export function useComparison(deployment: string, days: number) {
  return useQuery({
    queryKey: ['comparison', deployment, days],
    queryFn: () =>
      data(
        api.GET('/api/deployments/{deployment_id}/comparison', {
          params: { path: { deployment_id: deployment }, query: { days } },
        }),
      ),
    refetchInterval: COMPARED_MS,
  })
}

/** Shares the calls out; the page shows the error. */
export function useSetTraffic(deployment: string) {
  const changed = useChanged(deployment)
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { models: Share[]; shadow: string | null }) =>
      data(api.PUT('/api/deployments/{deployment_id}/traffic', { ...of(deployment), body })),
    onSuccess: changed,
  })
}

/** The latest rollouts, newest first. */
export function useRollouts(deployment: string) {
  return useQuery({
    queryKey: ['rollouts', deployment],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/rollouts', of(deployment))),
    refetchInterval: JUDGED_MS,
  })
}

export function useStartRollout(deployment: string) {
  const changed = useChanged(deployment)
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: RolloutRequest) => data(api.POST('/api/deployments/{deployment_id}/rollouts', { ...of(deployment), body })),
    onSuccess: changed,
  })
}

export function useStopRollout(deployment: string) {
  const changed = useChanged(deployment)
  return useMutation({
    mutationFn: () => data(api.POST('/api/deployments/{deployment_id}/rollouts/stop', of(deployment))),
    onSuccess: changed,
  })
}

function useChanged(deployment: string) {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [['deployments'], ['rollouts', deployment], ['comparison', deployment]].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'

export type Retrain = Answer<'RetrainOut'>
export type Retraining = Answer<'RetrainingOut'>
export type RetrainRequest = Answer<'RetrainRuleIn'>

/** Trainings take minutes. */
const LIVE_MS = 15_000

const of = (deployment: string) => ({ params: { path: { deployment_id: deployment } } })

/** When the model is trained again, and what came of it. */
export function useRetrain(deployment: string) {
  return useQuery({
    queryKey: ['retraining', deployment],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/retraining', of(deployment))),
    refetchInterval: LIVE_MS,
  })
}

/** Saves the rule; the page shows the error. */
export function useSetRetrain(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: RetrainRequest) => data(api.PUT('/api/deployments/{deployment_id}/retraining', { ...of(deployment), body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['retraining', deployment] }),
  })
}

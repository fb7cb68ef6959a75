import { type MutationMeta, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { DeploymentRequest } from '../model/deployment-form'
import type { KeepInputs } from './types'

export interface DeploymentChange {
  artefact?: string
  state?: 'running' | 'stopped'
  keep_inputs?: KeepInputs
}

export interface FeedbackRequest {
  reason?: 'uncertain' | 'disagreement'
  min_uncertainty?: number
  limit: number
}

export function useCreateDeployment() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: DeploymentRequest) => data(api.POST('/api/deployments', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments'] }),
  })
}

export function useChangeDeployment(deployment: string, meta?: MutationMeta) {
  const queries = useQueryClient()
  return useMutation({
    meta,
    mutationFn: (body: DeploymentChange) =>
      data(api.PATCH('/api/deployments/{deployment_id}', { params: { path: { deployment_id: deployment } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments'] }),
  })
}

export function useDeleteDeployment(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/api/deployments/{deployment_id}', { params: { path: { deployment_id: deployment } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments', 'list'] }),
  })
}

/** Brings kept calls that the model was unsure of, or that its shadow answers otherwise, to the labellers. */
export function useFeedback(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ reason = 'uncertain', min_uncertainty = 0, limit }: FeedbackRequest) =>
      data(api.POST('/api/labeling/feedback', { body: { deployment, reason, min_uncertainty, limit } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['items'] }),
  })
}

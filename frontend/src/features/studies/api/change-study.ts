import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { StudyRequest } from '../model/study-form'

export function useStartStudy() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: StudyRequest) => data(api.POST('/api/studies', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

export function useCancelStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/studies/{study_id}/cancel', { params: { path: { study_id: study } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

/** No trial goes on until the study is resumed. */
export function usePauseStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/studies/{study_id}/pause', { params: { path: { study_id: study } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

export function useResumeStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/studies/{study_id}/resume', { params: { path: { study_id: study } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

/** Ends a study with what it has learned until now. */
export function useFinishStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/studies/{study_id}/finish', { params: { path: { study_id: study } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

/** Ships another trial of the front; it may have to be trained once more first. */
export function useShipTrial(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (trial: string) =>
      data(api.POST('/api/studies/{study_id}/ship', { params: { path: { study_id: study } }, body: { trial } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

/** Lets a study go on to a larger number of trials in all. */
export function useExtendStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (max_trials: number) =>
      data(api.POST('/api/studies/{study_id}/extend', { params: { path: { study_id: study } }, body: { max_trials } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

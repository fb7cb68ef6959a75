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

type Action = 'pause' | 'resume' | 'finish' | 'cancel'

/** Pauses, resumes, finishes or cancels a study. */
export function useStudyAction(study: string, action: Action) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST(`/api/studies/{study_id}/${action}`, { params: { path: { study_id: study } } })),
    onSuccess: () => Promise.all([['studies'], ['jobs']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
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

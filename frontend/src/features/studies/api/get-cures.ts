import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Why a study, or one of its trials, failed, which items made it fail, and what cures it. */
export function useCures(study: string, isEnabled: boolean, trial?: string) {
  return useQuery({
    queryKey: ['studies', study, 'cures', trial ?? null],
    queryFn: () => data(api.GET('/api/studies/{study_id}/cures', { params: { path: { study_id: study }, query: { trial } } })),
    enabled: isEnabled,
  })
}

/** Starts a study with the settings of one that failed, or of which a trial failed, changed by a cure. */
export function useCureStudy(study: string, trial?: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cure: string) =>
      data(api.POST('/api/studies/{study_id}/cures/{cure}', { params: { path: { study_id: study, cure }, query: { trial } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Why a study failed, which items made it fail, and what cures it. */
export function useCures(study: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['studies', study, 'cures'],
    queryFn: () => data(api.GET('/api/studies/{study_id}/cures', { params: { path: { study_id: study } } })),
    enabled: isEnabled,
  })
}

/** Starts a study with the settings of one that failed, changed by a cure. */
export function useCureStudy(study: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cure: string) => data(api.POST('/api/studies/{study_id}/cures/{cure}', { params: { path: { study_id: study, cure } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { PlanRequest } from '../model/study-form'

/** What a study would do. Asked anew when the form changes; the old answer stays until the new one is there. */
export function useStudyPlan(body: PlanRequest, isComplete: boolean) {
  return useQuery({
    queryKey: ['study-plan', body],
    enabled: isComplete,
    queryFn: () => data(api.POST('/api/studies/plan', { body })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

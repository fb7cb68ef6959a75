import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { PlanRequest } from '../model/study-form'

function studyPlanQuery(body: PlanRequest, isComplete: boolean) {
  return queryOptions({
    queryKey: ['study-plan', body],
    enabled: isComplete,
    queryFn: () => data(api.POST('/api/studies/plan', { body })),
    staleTime: 30_000,
  })
}

/** What a study would do. Asked anew when the form changes; the old answer stays until the new one is there. */
export function useStudyPlan(body: PlanRequest, isComplete: boolean) {
  return useQuery({ ...studyPlanQuery(body, isComplete), placeholderData: keepPreviousData })
}

/** How long several studies would take, in seconds, in the order of the requests; null where it is not known (yet). */
export function useStudyTimes(bodies: readonly PlanRequest[]): (number | null)[] {
  return useQueries({
    queries: bodies.map((body) => ({ ...studyPlanQuery(body, body.version !== ''), placeholderData: keepPreviousData })),
    combine: (plans) => plans.map(({ data: plan }) => (plan && !plan.blocking.length ? plan.estimated_s : null)),
  })
}

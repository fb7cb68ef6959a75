import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** The trials whose models the project's studies ship, of the newest studies. */
export function useShippedTrials(project: string) {
  return useQuery({
    queryKey: ['studies', 'shipped', project],
    queryFn: () => data(api.GET('/api/studies', { params: { query: { project, limit: 200 } } })),
    select: (page) => new Set(page.items.flatMap(({ best_trial, ended_at }) => (best_trial && ended_at ? [best_trial] : []))),
  })
}

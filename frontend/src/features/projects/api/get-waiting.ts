import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Disputes and open comments, by project. */
export function useWaiting(workspace: string) {
  return useQuery({
    queryKey: ['waiting', workspace],
    queryFn: () => data(api.GET('/api/waiting', { params: { query: { workspace } } })),
  })
}

/** The campaigns in which the person labels. */
export function useMyWork() {
  return useQuery({ queryKey: ['campaigns', 'mine'], queryFn: () => data(api.GET('/api/labeling/campaigns/mine')) })
}

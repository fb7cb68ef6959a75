import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Profile } from './types'

const POLL_MS = 1500

export const isProfiling = (profile: Pick<Profile, 'job'> | undefined): boolean =>
  profile?.job != null && ['queued', 'leased', 'running'].includes(profile.job.state)

/** What the columns look like, and whether that still holds. */
export function useProfile(dataset: string) {
  return useQuery({
    queryKey: ['profile', dataset],
    enabled: dataset !== '',
    queryFn: () => data(api.GET('/api/datasets/{dataset}/profile', { params: { path: { dataset } } })),
    refetchInterval: (query) => (isProfiling(query.state.data) ? POLL_MS : false),
  })
}

export function useRunProfile(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/datasets/{dataset}/profile', { params: { path: { dataset } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['profile'] }),
  })
}

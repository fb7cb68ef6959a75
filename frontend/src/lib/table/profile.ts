/** What the columns of the project's table look like: asked for where columns are explained and where rows are chosen by them. */
import { useQuery } from '@tanstack/react-query'

import type { Answer } from '../api/answer'
import { api, data } from '../api/client'

export type Profile = Answer<'ProfileOut'>

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

import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const SHOWN = 4

/** The newest deployments, with what they answered. */
export function useLatestDeployments(project: string) {
  return useQuery({
    queryKey: ['deployments', 'latest', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: SHOWN } } })),
    select: (page) => page.items,
  })
}

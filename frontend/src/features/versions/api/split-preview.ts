import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Shares } from '../model/shares'

/** How many items each split of a version made now would hold. */
export function useSplitPreview(project: string, shares: Shares) {
  return useQuery({
    queryKey: ['project', project, 'split-preview', shares],
    queryFn: () => data(api.GET('/api/projects/{project}/split-preview', { params: { path: { project }, query: shares } })),
    placeholderData: keepPreviousData,
  })
}

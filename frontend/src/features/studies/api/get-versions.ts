import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The versions to choose from, newest first. */
export function useVersionChoices(project: string) {
  return useQuery({
    queryKey: ['versions', project, 'choices'],
    queryFn: () => data(api.GET('/api/projects/{project}/versions', { params: { path: { project }, query: { limit: 100 } } })),
  })
}

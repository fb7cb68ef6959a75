import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** What stands in the way of a version, and what is worth knowing before it is made. Part of the guide: the same events refresh both. */
export function useProblems(project: string) {
  return useQuery({
    queryKey: ['guide', project, 'problems'],
    queryFn: () => data(api.GET('/api/projects/{project_id}/problems', { params: { path: { project_id: project } } })),
  })
}

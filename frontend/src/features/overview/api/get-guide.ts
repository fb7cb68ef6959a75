import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export function useGuide(project: string) {
  return useQuery({
    queryKey: ['guide', project],
    queryFn: () => data(api.GET('/api/projects/{project_id}/guide', { params: { path: { project_id: project } } })),
  })
}

/** What waits for a person, and the best model. Part of the guide, so that the same events refresh both. */
export function useGlance(project: string) {
  return useQuery({
    queryKey: ['guide', project, 'glance'],
    queryFn: () => data(api.GET('/api/projects/{project_id}/glance', { params: { path: { project_id: project } } })),
  })
}

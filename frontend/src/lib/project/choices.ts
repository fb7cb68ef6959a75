import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** The models to choose from, newest first. */
export function useModelChoices(project: string) {
  return useQuery({
    queryKey: ['artefacts', 'choices', project],
    queryFn: () => data(api.GET('/api/artefacts', { params: { query: { project, limit: 200 } } })),
    select: (page) => page.items,
  })
}

/** The versions to choose from, newest first. */
export function useVersionChoices(project: string) {
  return useQuery({
    queryKey: ['versions', project, 'choices'],
    queryFn: () => data(api.GET('/api/projects/{project}/versions', { params: { path: { project }, query: { limit: 100 } } })),
  })
}

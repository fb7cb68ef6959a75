import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** The model that one would use (`first`), and those that are marked as best, as the server's rule has them. */
export function useBestModels(project: string) {
  return useQuery({
    queryKey: ['artefacts', 'best', project],
    queryFn: () => data(api.GET('/api/projects/{project_id}/best-models', { params: { path: { project_id: project } } })),
  })
}

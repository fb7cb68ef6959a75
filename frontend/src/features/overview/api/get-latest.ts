import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const SHOWN = 4

/** The best model first, behind it the newest others. */
export function useBestModels(project: string, best: string | null) {
  return useQuery({
    queryKey: ['artefacts', 'latest', project, best],
    queryFn: async () => {
      const [{ items }, first] = await Promise.all([
        data(api.GET('/api/artefacts', { params: { query: { project, limit: SHOWN } } })),
        best === null ? null : data(api.GET('/api/artefacts/{artefact_id}', { params: { path: { artefact_id: best } } })),
      ])
      const others = items.filter(({ id }) => id !== best)
      return first === null ? others : [first, ...others].slice(0, SHOWN)
    },
  })
}

/** The newest deployments, with what they answered. */
export function useLatestDeployments(project: string) {
  return useQuery({
    queryKey: ['deployments', 'latest', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: SHOWN } } })),
    select: (page) => page.items,
  })
}

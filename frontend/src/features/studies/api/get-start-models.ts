import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The latest models that training can go on from, newest first. */
export function useStartModels(project: string) {
  return useQuery({
    queryKey: ['artefacts', 'starts', project],
    queryFn: () => data(api.GET('/api/artefacts', { params: { query: { project, limit: 100 } } })),
    select: (page) => page.items.filter((model) => model.continues),
  })
}

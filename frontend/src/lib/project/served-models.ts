import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

const NONE: ReadonlySet<string> = new Set()

/** The models that answer at an address of the project; none until they are known. */
export function useServedModels(project: string): ReadonlySet<string> {
  const deployments = useQuery({
    queryKey: ['deployments', 'served', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: 200 } } })),
    select: (page) => new Set(page.items.filter(({ state }) => state === 'running').map(({ artefact }) => artefact)),
  })
  return deployments.data ?? NONE
}

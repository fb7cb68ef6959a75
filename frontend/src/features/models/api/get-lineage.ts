import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export function useLineage(artefact: string) {
  return useQuery({
    queryKey: ['artefacts', artefact, 'lineage'],
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/lineage', { params: { path: { artefact_id: artefact } } })),
  })
}

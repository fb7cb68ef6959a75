import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The newest figures of a model from the machines where it runs. */
export function useMeasurements(artefact: string) {
  return useQuery({
    queryKey: ['artefacts', artefact, 'measurements'],
    queryFn: () =>
      data(api.GET('/api/artefacts/{artefact_id}/measurements', { params: { path: { artefact_id: artefact }, query: { limit: 20 } } })),
    select: (page) => page.items,
  })
}

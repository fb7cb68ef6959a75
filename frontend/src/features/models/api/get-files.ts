import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Bytes of a model's files by name; empty until they are known. */
export function useFileSizes(artefact: string): ReadonlyMap<string, number> {
  const files = useQuery({
    queryKey: ['artefacts', artefact, 'files'],
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/files', { params: { path: { artefact_id: artefact } } })),
    staleTime: Infinity,
  })
  return new Map(files.data?.map(({ name, size_bytes }) => [name, size_bytes]))
}

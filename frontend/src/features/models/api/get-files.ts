import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { formatBytes } from '../../../lib/format'

/** How large a model's files are, by name; empty until it is known. */
export function useFileSizes(artefact: string): ReadonlyMap<string, string> {
  const files = useQuery({
    queryKey: ['artefacts', artefact, 'files'],
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/files', { params: { path: { artefact_id: artefact } } })),
    staleTime: Infinity,
  })
  return new Map(files.data?.map(({ name, size_bytes }) => [name, formatBytes(size_bytes)]))
}

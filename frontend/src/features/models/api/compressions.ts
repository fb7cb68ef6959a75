import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { isRunning } from '../model/compression'
import type { CompressionOrder } from './types'

const LIVE_MS = 1500

/** The latest tries to compress a model, newest first. */
export function useCompressions(artefact: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['compressions', artefact],
    enabled: isEnabled,
    queryFn: () =>
      data(api.GET('/api/artefacts/{artefact_id}/compressions', { params: { path: { artefact_id: artefact }, query: { limit: 20 } } })),
    select: (page) => page.items,
    refetchInterval: (query) => (query.state.data?.items.some(isRunning) ? LIVE_MS : false),
  })
}

export function useStartCompression(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: CompressionOrder) =>
      data(api.POST('/api/artefacts/{artefact_id}/compressions', { params: { path: { artefact_id: artefact } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['compressions', artefact] }),
  })
}

export function useCancelCompression(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['compressions', artefact] }),
  })
}

/** Makes a candidate a model of the project. */
export function useKeepCandidate(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ compression, method }: { compression: string; method: string }) =>
      data(api.POST('/api/compressions/{compression_id}/keep', { params: { path: { compression_id: compression } }, body: { method } })),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['compressions', artefact] }),
        queries.invalidateQueries({ queryKey: ['artefacts'] }),
      ]),
  })
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { ParamValue } from '../../../ui/param-fields'

const LIVE_MS = 1500
export const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'stopped'])

/** What this installation can build for. */
export function useTargets() {
  return useQuery({ queryKey: ['targets'], queryFn: () => data(api.GET('/api/targets')), staleTime: Infinity })
}

/**
 * What builds of a model are expected to give, with the usual options; of one target with these options where it is named.
 * @param gallery with whose names they answer; null: with what the model answers
 */
export function useExportEstimates(artefact: string, gallery: string | null, target?: string, options: Record<string, ParamValue> = {}) {
  return useQuery({
    queryKey: ['exports', artefact, 'estimates', gallery, target, options],
    queryFn: () => data(api.POST('/api/exports/estimates', { body: { artefact, gallery, target, options } })),
    enabled: target === undefined || Object.keys(options).length > 0,
    placeholderData: keepPreviousData,
  })
}

/** The latest builds of a model. */
export function useExports(artefact: string) {
  return useQuery({
    queryKey: ['exports', artefact],
    queryFn: () => data(api.GET('/api/exports', { params: { query: { artefact, limit: 100 } } })),
    select: (page) => page.items,
    refetchInterval: (query) => (query.state.data?.items.some((build) => !ENDED.has(build.state)) ? LIVE_MS : false),
  })
}

/** Stops a build by its job. */
export function useCancelExport() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['exports'] }),
  })
}

export function useCreateExport(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { target: string; options: Record<string, ParamValue>; gallery: string | null }) =>
      data(api.POST('/api/exports', { body: { artefact, ...body } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['exports'] }),
  })
}

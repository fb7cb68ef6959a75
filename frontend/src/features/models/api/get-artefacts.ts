import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { CoverageScope, Stage } from './types'

export function useArtefacts(project: string) {
  return useInfiniteQuery({
    queryKey: ['artefacts', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => data(api.GET('/api/artefacts', { params: { query: { project, limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useArtefact(artefact: string | null) {
  return useQuery({
    queryKey: ['artefacts', artefact],
    enabled: artefact !== null,
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}', { params: { path: { artefact_id: artefact ?? '' } } })),
  })
}

/** How a model got to its stage, newest first. */
export function useStageChanges(artefact: string) {
  return useQuery({
    queryKey: ['artefacts', artefact, 'stages'],
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/stages', { params: { path: { artefact_id: artefact } } })),
  })
}

interface CoverageChoice {
  /** Null: nobody is asked any more. */
  error_rate: number | null
  scope: CoverageScope
}

/** Changes a model's note, from which scores on it answers, or when it asks a person; deployments follow. */
export function useChangeArtefact(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { note?: string; thresholds?: Record<string, number>; coverage?: CoverageChoice }) =>
      data(api.PATCH('/api/artefacts/{artefact_id}', { params: { path: { artefact_id: artefact } }, body })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['deployments'] })
      return queries.invalidateQueries({ queryKey: ['artefacts'] })
    },
  })
}

export function usePromote(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { stage: Stage; reason: string }) =>
      data(api.POST('/api/artefacts/{artefact_id}/promote', { params: { path: { artefact_id: artefact } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['artefacts'] }),
  })
}

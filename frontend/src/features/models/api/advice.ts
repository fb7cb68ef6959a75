import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const POLL_MS = 1500
const WORKING = new Set(['queued', 'leased', 'running'])
const MOST_LABELLED_NEXT = 200

/** What more items would bring a model, and the job that measures it. */
export function useAdvice(artefact: string) {
  return useQuery({
    queryKey: ['advice', artefact],
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/advice', { params: { path: { artefact_id: artefact } } })),
    refetchInterval: (query) => (WORKING.has(query.state.data?.job?.state ?? '') ? POLL_MS : false),
  })
}

export function useAdviceMeasure(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: () => data(api.POST('/api/artefacts/{artefact_id}/advice', { params: { path: { artefact_id: artefact } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['advice', artefact] }),
  })
}

export function useAdviceCancel(artefact: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['advice', artefact] }),
  })
}

/** Unlabelled items that are taken for a label, the surest first; none where nothing is suggested yet. */
export function useItemsTakenFor(project: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: async (label: string): Promise<string[]> => {
      const query = { project, label, order: 'confidence_desc' as const, limit: MOST_LABELLED_NEXT }
      const page = await data(api.GET('/api/labeling/assist/items', { params: { query } }))
      return page.items.map(({ item }) => item.id)
    },
  })
}

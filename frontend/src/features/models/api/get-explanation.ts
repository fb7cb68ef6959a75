import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export interface ExplanationOf {
  artefact: string
  item: string
  /** Whose score is explained. */
  label: string
}

/** What counted in an item for a label; null asks nothing. Items do not change, so neither does this. */
export function useExplanation(of: ExplanationOf | null) {
  return useQuery({
    queryKey: ['report', of?.artefact, 'explain', of?.item, of?.label],
    enabled: of !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/artefacts/{artefact_id}/explain', {
          params: { path: { artefact_id: of?.artefact ?? '' }, query: { item: of?.item ?? '', label: of?.label ?? null } },
          signal,
        }),
      ),
  })
}

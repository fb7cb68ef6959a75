import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Bounds } from '../../../lib/api/types'

export interface ExplanationOf {
  artefact: string
  item: string
  /** Whose score is explained, and where the object lies that has it. */
  label: string | null
  box?: Bounds | undefined
}

const written = (box: Bounds | undefined) => (box ? [box.x, box.y, box.width, box.height].join(',') : null)

/** What counted in an item for a label; null asks nothing. Items do not change, so neither does this. */
export function useExplanation(of: ExplanationOf | null) {
  return useQuery({
    queryKey: ['report', of?.artefact, 'explain', of?.item, of?.label, of?.box],
    enabled: of !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/artefacts/{artefact_id}/explain', {
          params: {
            path: { artefact_id: of?.artefact ?? '' },
            query: { item: of?.item ?? '', label: of?.label ?? null, box: written(of?.box) },
          },
          signal,
        }),
      ),
  })
}

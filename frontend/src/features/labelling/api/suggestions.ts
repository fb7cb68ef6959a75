import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Annotation } from '../../../lib/api/types'

/** What a model proposes for an item, best first. */
export function useSuggestions(item: string | undefined) {
  return useQuery({
    queryKey: ['suggestions', item],
    enabled: item !== undefined,
    staleTime: 60_000,
    queryFn: async (): Promise<Annotation[]> => {
      if (item === undefined) return []
      const found = await data(api.GET('/api/labeling/suggestions', { params: { query: { items: item } } }))
      return [...(found[item] ?? [])].sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    },
  })
}

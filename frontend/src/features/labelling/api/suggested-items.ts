/** Unlabelled items by what is suggested for them, the surest first. */
import { useInfiniteQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export function useSuggestedItems(project: string, label: string | null, min_confidence: number, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['suggested', project, label, min_confidence],
    enabled: enabled && label !== null,
    // What is being looked through must not change under the eye; it is asked for anew when it is opened.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/labeling/assist/items', {
          params: {
            query: {
              project,
              label: label ?? undefined,
              min_confidence,
              order: 'confidence_desc',
              limit: 60,
              cursor: pageParam ?? undefined,
            },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

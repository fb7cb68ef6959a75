import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { SplitName } from '../model/items-query'
import type { PairOutcome } from './types'

/** Two models on the same items of a split. Reports never change, so neither does this. */
export function usePair(left: string, right: string, split: SplitName) {
  return useQuery({
    queryKey: ['report', left, 'paired', right, split],
    queryFn: () =>
      data(api.GET('/api/artefacts/{artefact_id}/paired', { params: { path: { artefact_id: left }, query: { other: right, split } } })),
    staleTime: Infinity,
  })
}

/** The items that the right one mends, or those that it breaks. */
export function usePairItems(left: string, right: string, split: SplitName, outcome: PairOutcome) {
  return useInfiniteQuery({
    queryKey: ['report', left, 'paired', right, split, outcome],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/artefacts/{artefact_id}/paired/items', {
          params: { path: { artefact_id: left }, query: { other: right, split, outcome, limit: 24, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Infinity,
  })
}

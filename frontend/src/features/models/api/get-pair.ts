import { useInfiniteQuery, useQueries } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { SplitName } from '../model/items-query'
import type { PairOutcome } from './types'

/** Models against a base on the same items of a split, in their order. Reports never change, so neither does this. */
export function usePairs(base: string, others: readonly string[], split: SplitName) {
  return useQueries({
    queries: others.map((other) => ({
      queryKey: ['report', base, 'paired', other, split],
      queryFn: () =>
        data(api.GET('/api/artefacts/{artefact_id}/paired', { params: { path: { artefact_id: base }, query: { other, split } } })),
      staleTime: Infinity,
    })),
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

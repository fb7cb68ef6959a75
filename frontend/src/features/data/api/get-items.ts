import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Split } from '../../../lib/api/types'

export interface ItemFilter {
  state: 'all' | 'annotated' | 'unlabelled'
  label: string | null
  split: Split | null
  q: string
}

export const NO_FILTER: ItemFilter = { state: 'all', label: null, split: null, q: '' }
const PAGE = 100

export const itemsKey = (dataset: string, filter?: ItemFilter) =>
  filter ? (['items', dataset, filter] as const) : (['items', dataset] as const)

/** The pictures of a dataset, page by page; the old ones stay in view while a new filter loads. */
export function useItems(dataset: string, filter: ItemFilter) {
  return useInfiniteQuery({
    queryKey: itemsKey(dataset, filter),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/api/datasets/{dataset}/items', {
          signal,
          params: {
            path: { dataset },
            query: {
              state: filter.state,
              label: filter.label ?? undefined,
              split: filter.split ?? undefined,
              q: filter.q || undefined,
              limit: PAGE,
              cursor: pageParam,
            },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}

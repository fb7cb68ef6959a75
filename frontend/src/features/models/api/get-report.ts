import { queryOptions, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { itemsQuery, type ItemsView } from '../model/items-query'

/** A report never changes. */
const reportQuery = (artefact: string | null) =>
  queryOptions({
    queryKey: ['report', artefact],
    enabled: artefact !== null,
    queryFn: () => data(api.GET('/api/artefacts/{artefact_id}/report', { params: { path: { artefact_id: artefact ?? '' } } })),
    staleTime: Infinity,
  })

export function useModelReport(artefact: string | null) {
  return useQuery(reportQuery(artefact))
}

export function useModelReports(artefacts: readonly string[]) {
  return useQueries({ queries: artefacts.map(reportQuery) })
}

/** The judged items behind a number of the report. */
export function useReportItems(artefact: string, split: 'train' | 'validation' | 'test', view: ItemsView) {
  return useInfiniteQuery({
    queryKey: ['report', artefact, 'items', split, view],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/artefacts/{artefact_id}/report/items', {
          params: { path: { artefact_id: artefact }, query: { ...itemsQuery(split, view), limit: 24, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Infinity,
  })
}

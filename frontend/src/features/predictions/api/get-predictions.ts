import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { isGoingOn } from '../model/run-state'

/** Results are written every few seconds. */
const LIVE_MS = 1500
const RESULTS_LIVE_MS = 3000
const PAGE = 60

/** The batch predictions of a project, newest first. */
export function useRuns(project: string) {
  return useInfiniteQuery({
    queryKey: ['predictions', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/predictions', { params: { path: { project }, query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => (query.state.data?.pages.some(({ items }) => items.some(isGoingOn)) ? LIVE_MS : false),
  })
}

export function usePredictionRun(prediction: string) {
  return useQuery({
    queryKey: ['predictions', prediction],
    queryFn: () => data(api.GET('/api/predictions/{prediction}', { params: { path: { prediction } } })),
    refetchInterval: (query) => (query.state.data && isGoingOn(query.state.data) ? LIVE_MS : false),
  })
}

/** The results in order. While more are coming, the first page is kept up to date; further ones come as they are asked for. */
export function useResults(prediction: string, only: 'failed' | 'asked' | null, isLive: boolean) {
  return useInfiniteQuery({
    queryKey: ['predictions', prediction, 'results', only],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/predictions/{prediction}/results', {
          params: { path: { prediction }, query: { limit: PAGE, cursor: pageParam, only } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => (isLive && (query.state.data?.pages.length ?? 0) <= 1 ? RESULTS_LIVE_MS : false),
  })
}

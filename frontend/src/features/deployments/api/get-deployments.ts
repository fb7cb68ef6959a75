import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const STARTING_MS = 1000
/** Calls are not announced by events as they arrive. */
const LIVE_MS = 5000

export function useDeployments(project: string) {
  return useInfiniteQuery({
    queryKey: ['deployments', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => data(api.GET('/api/deployments', { params: { query: { project, limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LIVE_MS,
  })
}

export function useDeployment(deployment: string) {
  return useQuery({
    queryKey: ['deployments', deployment],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}', { params: { path: { deployment_id: deployment } } })),
    refetchInterval: (query) => (query.state.data?.state === 'starting' ? STARTING_MS : LIVE_MS),
  })
}

/** Calls, newest first; with or without those of the page itself. */
export function useCalls(deployment: string, hasTryOuts: boolean) {
  return useInfiniteQuery({
    queryKey: ['deployments', deployment, 'log', hasTryOuts],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/deployments/{deployment_id}/log', {
          params: { path: { deployment_id: deployment }, query: { limit: 25, cursor: pageParam, try_outs: hasTryOuts } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LIVE_MS,
  })
}

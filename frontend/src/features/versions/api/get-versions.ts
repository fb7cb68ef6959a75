import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export function useVersions(project: string) {
  return useInfiniteQuery({
    queryKey: ['versions', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/versions', { params: { path: { project }, query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** A version never changes, so it is asked for once. */
export function useVersion(version: string) {
  return useQuery({
    queryKey: ['version', version],
    queryFn: () => data(api.GET('/api/versions/{version}', { params: { path: { version } } })),
    staleTime: Infinity,
  })
}

export function useVersionItems(version: string) {
  return useInfiniteQuery({
    queryKey: ['version', version, 'items'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/versions/{version}/items', { params: { path: { version }, query: { limit: 60, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Infinity,
  })
}

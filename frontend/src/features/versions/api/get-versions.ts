import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Split } from '../../../lib/api/types'

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
export function useVersion(version: string, isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: ['version', version],
    queryFn: () => data(api.GET('/api/versions/{version}', { params: { path: { version } } })),
    staleTime: Infinity,
  })
}

interface ItemFilter {
  split: Split | null
  label: string | null
}

export function useVersionItems(version: string, { split, label }: ItemFilter) {
  return useInfiniteQuery({
    queryKey: ['version', version, 'items', split, label],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      let cursor = pageParam
      // A filtered page ends after so many rows looked at, so it may be empty although more follow.
      for (;;) {
        const query = { limit: 60, cursor, split, label }
        const page = await data(api.GET('/api/versions/{version}/items', { params: { path: { version }, query }, signal }))
        if (page.items.length > 0 || page.next_cursor === null) return page
        cursor = page.next_cursor
      }
    },
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Infinity,
  })
}

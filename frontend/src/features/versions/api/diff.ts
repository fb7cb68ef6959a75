import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { DiffItem, DiffKind } from './types'

/** Stands for the data as it is now. */
export const WORKING = 'working'

/** Two versions never change; the working state does, and events make what was asked of it stale. */
const freshness = (after: string, before: string) => (after === WORKING || before === WORKING ? 0 : Infinity)

export function useDiff(project: string, before: string, after: string, isEnabled = true) {
  return useQuery({
    queryKey: ['versions', project, 'diff', before, after],
    queryFn: () => data(api.GET('/api/projects/{project}/diff', { params: { path: { project }, query: { before, after } } })),
    enabled: isEnabled && before !== '' && after !== '',
    staleTime: freshness(after, before),
  })
}

interface DiffFilter {
  kind: DiffKind | null
  label: string | null
}

export function useDiffItems(project: string, before: string, after: string, { kind, label }: DiffFilter) {
  return useInfiniteQuery({
    queryKey: ['versions', project, 'diff', before, after, 'items', kind, label],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const found: DiffItem[] = []
      let cursor = pageParam
      // A page ends after so many rows looked at; where differences are rare, several are needed for something to show.
      do {
        const query = { before, after, kind, label, cursor, limit: 60 }
        const page = await data(api.GET('/api/projects/{project}/diff/items', { params: { path: { project }, query }, signal }))
        found.push(...page.items)
        cursor = page.next_cursor
      } while (cursor !== null && found.length < 20)
      return { items: found, next_cursor: cursor }
    },
    getNextPageParam: (page) => page.next_cursor,
    enabled: before !== '' && after !== '',
    staleTime: freshness(after, before),
  })
}

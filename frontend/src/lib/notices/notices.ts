/** What a person should know of: mentions, answers, work that was assigned or returned. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { components } from '../api/schema'

export type Notice = components['schemas']['NoticeOut']

const LIVE_MS = 30_000

/** How many notices the person has not read. */
export function useNumUnread() {
  return useQuery({
    queryKey: ['notices', 'count'],
    refetchInterval: LIVE_MS,
    queryFn: async () => (await data(api.GET('/api/notices/count'))).num_unread,
  })
}

export function useNotices(limit: number, isEnabled = true) {
  return useInfiniteQuery({
    queryKey: ['notices', 'list', limit],
    enabled: isEnabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => data(api.GET('/api/notices', { params: { query: { cursor, limit } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** Marks notices as read; null marks all. */
export function useReadNotices() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[] | null) => data(api.POST('/api/notices/read', { body: { ids } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notices'] }),
  })
}

import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const PAGE = 20

/** Others' work that nobody has looked at yet, oldest first. */
export function useReviewQueue(project: string, author: string | null) {
  return useInfiniteQuery({
    queryKey: ['reviews', project, author],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      data(api.GET('/api/labeling/reviews/queue', { params: { query: { project, author, cursor, limit: PAGE } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Read once a visit: what was decided here is taken off by the page.
    staleTime: Infinity,
    gcTime: 0,
  })
}

interface Verdict {
  item: string
  decision: 'approve' | 'return'
  comment: string
}

export function useDecide() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (verdict: Verdict) => data(api.POST('/api/labeling/reviews', { body: verdict })),
    onSuccess: () => {
      for (const key of ['summary', 'items', 'workers']) void queries.invalidateQueries({ queryKey: [key] })
    },
  })
}

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const PAGE = 20

/** Which of others' work. */
export interface ReviewChoice {
  author: string | null
  from_people: boolean
  share_percent: number
}

/** Others' work that nobody has looked at yet, oldest first. */
export function useReviewQueue(project: string, choice: ReviewChoice) {
  return useInfiniteQuery({
    queryKey: ['reviews', project, choice],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      data(api.GET('/api/labeling/reviews/queue', { params: { query: { project, ...choice, cursor, limit: PAGE } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Read once a visit: what was decided here is taken off by the page.
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Whose work waits, and how much of it. */
export function useReviewAuthors(project: string, choice: Omit<ReviewChoice, 'author'>) {
  return useQuery({
    queryKey: ['reviews', 'authors', project, choice],
    queryFn: () => data(api.GET('/api/labeling/reviews/authors', { params: { query: { project, ...choice } } })),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Takes back one's own decision. */
export function useUndoReview() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (review: string) => data(api.POST('/api/labeling/reviews/{review}/undo', { params: { path: { review } } })),
    onSuccess: () => {
      for (const key of ['summary', 'items', 'workers']) void queries.invalidateQueries({ queryKey: [key] })
    },
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

/** Comments on an item. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { components } from '../api/schema'

export type Comment = components['schemas']['CommentOut']

/** Events of comments make all of these stale. */
export const commentsKey = (item: string) => ['comments', item] as const

export function useComments(item: string | undefined) {
  return useQuery({
    queryKey: commentsKey(item ?? ''),
    enabled: item !== undefined,
    queryFn: () => data(api.GET('/api/labeling/comments', { params: { query: { item: item ?? '' } } })),
  })
}

/** Names of the people who may read the comments of an item, and so can be mentioned in one. */
export function useMentionable(item: string, canWrite: boolean) {
  return useQuery({
    queryKey: ['comment-people', item],
    enabled: canWrite,
    staleTime: 60_000,
    queryFn: async () => {
      const people = await data(api.GET('/api/labeling/comments/people', { params: { query: { item } } }))
      return [...new Set(people.map(({ name }) => name))]
    },
  })
}

/** The open comments of a project with their items, newest first. */
export function useOpenList(project: string) {
  return useInfiniteQuery({
    queryKey: ['comments', 'open-list', project],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => data(api.GET('/api/labeling/comments/open', { params: { query: { project, cursor, limit: 30 } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** How many open comments each item between two has; items without any are left out. */
export function useOpenComments(dataset: string | undefined, first: string | undefined, last: string | undefined) {
  return useQuery({
    queryKey: ['comments', 'open', dataset, first, last],
    enabled: dataset !== undefined && first !== undefined && last !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = { first: first ?? '', last: last ?? '' }
      const path = { dataset: dataset ?? '' }
      return (await data(api.GET('/api/datasets/{dataset}/comments/open', { params: { path, query } }))).num_open
    },
  })
}

export type CommentChange =
  | { kind: 'edit'; id: string; text: string }
  | { kind: 'resolve'; id: string; is_resolved: boolean }
  | { kind: 'delete'; id: string }
  | { kind: 'restore'; id: string }

function send(change: CommentChange): Promise<unknown> {
  const params = { path: { comment: change.id } }
  switch (change.kind) {
    case 'edit':
      return data(api.PATCH('/api/labeling/comments/{comment}', { params, body: { text: change.text } }))
    case 'resolve':
      return data(api.PUT('/api/labeling/comments/{comment}/resolved', { params, body: { is_resolved: change.is_resolved } }))
    case 'delete':
      return data(api.DELETE('/api/labeling/comments/{comment}', { params }))
    case 'restore':
      return data(api.POST('/api/labeling/comments/{comment}/restore', { params }))
  }
}

export function useChangeComment() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries({ queryKey: ['comments'] }) })
}

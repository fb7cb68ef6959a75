import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Upload } from '../../../lib/api/types'

export const uploadsKey = (dataset: string) => ['uploads', dataset] as const

export function useUploads(dataset: string) {
  return useInfiniteQuery({
    queryKey: uploadsKey(dataset),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/datasets/{dataset}/uploads', { params: { path: { dataset }, query: { limit: 20, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** Forgets what arrived of a file; an upload of which pictures came is closed, and they stay. */
export function useDropUpload(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, num_items, labels }: Upload) => {
      const params = { path: { dataset, upload: id } }
      if (num_items > 0) await data(api.POST('/api/datasets/{dataset}/uploads/{upload}/finish', { params, body: { labels } }))
      else await data(api.DELETE('/api/datasets/{dataset}/uploads/{upload}', { params }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: uploadsKey(dataset) }),
  })
}

/** The files of an upload that did not become pictures. */
export function useRejects(dataset: string, upload: string) {
  return useInfiniteQuery({
    queryKey: [...uploadsKey(dataset), upload, 'rejects'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/datasets/{dataset}/uploads/{upload}/rejects', {
          params: { path: { dataset, upload }, query: { limit: 100, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

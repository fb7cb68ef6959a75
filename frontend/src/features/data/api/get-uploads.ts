import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

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

/** Forgets an upload and what arrived of it. */
export function useDropUpload(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (upload: string) => data(api.DELETE('/api/datasets/{dataset}/uploads/{upload}', { params: { path: { dataset, upload } } })),
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

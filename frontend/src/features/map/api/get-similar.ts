import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const LIMIT = 60

export function useItem(item: string | null) {
  return useQuery({
    queryKey: ['item', item],
    enabled: item !== null,
    queryFn: () => data(api.GET('/api/items/{item}', { params: { path: { item: item ?? '' } } })),
  })
}

/** What looks most like a picture, the nearest first. */
export function useSimilar(item: string | null) {
  return useQuery({
    queryKey: ['similar', item],
    enabled: item !== null,
    retry: false,
    queryFn: () => data(api.GET('/api/items/{item}/similar', { params: { path: { item: item ?? '' }, query: { limit: LIMIT } } })),
  })
}

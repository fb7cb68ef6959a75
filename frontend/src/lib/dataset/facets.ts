import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

export const facetsKey = (dataset: string) => ['facets', dataset] as const

/** What the pictures can be filtered by. */
export function useFacets(dataset: string) {
  return useQuery({
    queryKey: facetsKey(dataset),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: () => data(api.GET('/api/datasets/{dataset}/facets', { params: { path: { dataset } } })),
  })
}

/** The first values of a name of metadata. */
export function useFactValues(dataset: string, name: string | null, prefix: string) {
  return useQuery({
    queryKey: [...facetsKey(dataset), name, prefix],
    enabled: name !== null,
    placeholderData: keepPreviousData,
    queryFn: () =>
      data(api.GET('/api/datasets/{dataset}/facets/{name}', { params: { path: { dataset, name: name ?? '' }, query: { prefix } } })),
  })
}

/** Counts of a dataset, shown on several pages. */
import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'

export const summaryKey = (dataset: string) => ['summary', dataset] as const

export function useSummary(dataset: string) {
  return useQuery({
    queryKey: summaryKey(dataset),
    enabled: dataset !== '',
    queryFn: () => data(api.GET('/api/datasets/{dataset}/summary', { params: { path: { dataset } } })),
  })
}

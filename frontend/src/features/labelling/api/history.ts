import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The revisions of an item, newest first. */
export function useItemHistory(item: string, revision: number) {
  return useQuery({
    queryKey: ['history', item, revision],
    queryFn: () => data(api.GET('/api/labeling/history', { params: { query: { item } } })),
  })
}

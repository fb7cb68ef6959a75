/** One item as it stands now, by its id. */
import { queryOptions } from '@tanstack/react-query'

import { api, data } from './api/client'

export function itemQuery(item: string) {
  return queryOptions({
    queryKey: ['item', item],
    queryFn: () => data(api.GET('/api/items/{item}', { params: { path: { item } } })),
  })
}

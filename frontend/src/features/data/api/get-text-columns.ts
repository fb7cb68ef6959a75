import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { TableStart } from '../model/table-start'

/** Which columns an upload of a table of texts would read, by its first rows. */
export function useTextColumns(start: TableStart | null | undefined, { isEnabled }: { isEnabled: boolean }) {
  const rows = start ? [start.columns, ...start.rows].map((row) => [...row]) : []
  return useQuery({
    queryKey: ['text-columns', rows],
    queryFn: () => data(api.POST('/api/labeling/text-columns', { body: { rows } })),
    staleTime: Infinity,
    enabled: isEnabled && rows.length > 0,
  })
}

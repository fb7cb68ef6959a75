import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { send } from '../../../lib/api/raw'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { beginning, previewQuery, type TableOptions, type TablePreview } from '../model/table-preview'

/** How a table would be read, with what is chosen of it; null of one that is too large to be looked at. */
export function useTablePreview(dataset: string, { file, path }: IncomingFile, chosen: TableOptions) {
  return useQuery({
    queryKey: ['table-preview', dataset, path, file.size, file.lastModified, chosen],
    queryFn: async ({ signal }) => {
      const start = beginning(file)
      if (start === null) return null
      const query = previewQuery(file.name, start.isWhole, chosen)
      const url = `/api/datasets/${dataset}/uploads/table-preview?${query}`
      return send<TablePreview>(url, { method: 'POST', body: start.part, signal })
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  })
}

import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import { ApiError } from '../../../lib/api/errors'
import { send } from '../../../lib/api/raw'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { beginning, previewQuery, type TableOptions, type TablePreview } from '../model/table-preview'

/** How a table would be read, with what is chosen of it; null of one that is too large to be looked at. */
export function useTablePreview(dataset: string, incoming: IncomingFile, chosen: TableOptions) {
  return useQuery({ ...previewOf(dataset, incoming, chosen), placeholderData: keepPreviousData })
}

/** Whether a table cannot be read with what a person chose of it. */
export function useIsMisread(dataset: string, tables: readonly IncomingFile[], chosen: Readonly<Record<string, TableOptions>>) {
  const changed = tables.filter(({ path }) => Object.keys(chosen[path] ?? {}).length > 0)
  const previews = useQueries({ queries: changed.map((one) => previewOf(dataset, one, chosen[one.path] ?? {})) })
  return previews.some(({ error }) => error instanceof ApiError)
}

function previewOf(dataset: string, { file, path }: IncomingFile, chosen: TableOptions) {
  return queryOptions({
    queryKey: ['table-preview', dataset, path, file.size, file.lastModified, chosen],
    queryFn: async ({ signal }) => {
      const start = beginning(file)
      if (start === null) return null
      const query = previewQuery(file.name, start.isWhole, chosen)
      const url = `/api/datasets/${dataset}/uploads/table-preview?${query}`
      return send<TablePreview>(url, { method: 'POST', body: start.part, signal })
    },
    staleTime: Infinity,
    retry: false,
  })
}

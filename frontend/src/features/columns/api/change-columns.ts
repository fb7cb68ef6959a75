import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { type Column, type Columns, columnsKey } from '../../../lib/table/columns'

export interface ColumnsChange {
  /** What becomes of the columns; called again on what the server has by then. */
  change: (columns: readonly Column[]) => Column[]
  /** Whether annotations that did not come from cells stay when rows are labelled anew. */
  keepsAnnotations?: boolean
}

/** Changes columns one after the other: each is shown at once and sent with what the one before has left. */
export function useChangeColumns(dataset: string) {
  const queries = useQueryClient()
  const key = columnsKey(dataset)
  const read = () => queries.getQueryData<Columns>(key)
  return useMutation({
    scope: { id: `columns ${dataset}` },
    onMutate: async ({ change }: ColumnsChange) => {
      await queries.cancelQueries({ queryKey: key })
      const before = read()
      if (before) queries.setQueryData<Columns>(key, { ...before, columns: change(before.columns) })
    },
    mutationFn: ({ change, keepsAnnotations = true }: ColumnsChange) => {
      const known = read()
      const body = {
        columns: change(known?.columns ?? []),
        revision: known?.revision ?? 0,
        keeps_annotations: keepsAnnotations,
        labels_anew: false,
      }
      return data(api.PUT('/api/datasets/{dataset}/columns', { params: { path: { dataset } }, body }))
    },
    onSuccess: (answer) => queries.setQueryData<Columns>(key, answer),
    onError: () => queries.invalidateQueries({ queryKey: key }),
    onSettled: () => {
      for (const first of ['profile', 'project', 'guide', 'items', 'summary']) void queries.invalidateQueries({ queryKey: [first] })
    },
  })
}

import { useMutation } from '@tanstack/react-query'

import { api, data } from '../api/client'

/** Undoes bulk changes of a dataset, the last one first; `refresh` then reloads what they touched. */
export function useUndoBulkChanges(dataset: string, refresh: () => Promise<unknown>) {
  return useMutation({
    mutationFn: async (changes: readonly string[]) => {
      for (const change of [...changes].reverse())
        await data(api.POST('/api/datasets/{dataset}/bulk/{change}/undo', { params: { path: { dataset, change } } }))
    },
    onSettled: refresh,
  })
}

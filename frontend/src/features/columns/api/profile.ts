import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

export function useRunProfile(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/datasets/{dataset}/profile', { params: { path: { dataset } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['profile'] }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import { uploadsKey } from './get-uploads'

export type Source = components['schemas']['SourceIn']['source']

/** The folders of the server that its operator has opened. */
export function useServerFolders(dataset: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['sources', dataset],
    enabled: isWanted,
    queryFn: () => data(api.GET('/api/datasets/{dataset}/sources', { params: { path: { dataset } } })),
  })
}

/** Has the server bring real examples of the project's task. */
export function useExamples(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/datasets/{dataset}/examples', { params: { path: { dataset } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: uploadsKey(dataset) }),
  })
}

/** Has the server fetch pictures itself, in the background. */
export function useCollect(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: { source: Source; labels: 'folder' | 'none' }) =>
      data(api.POST('/api/datasets/{dataset}/sources', { params: { path: { dataset } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: uploadsKey(dataset) }),
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import { uploadsKey } from './get-uploads'

export type Source = components['schemas']['SourceIn']['source']

/** The folders of the server that its operator has opened. */
export function useServerFolders(dataset: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['sources', dataset],
    enabled: isEnabled,
    queryFn: () => data(api.GET('/api/datasets/{dataset}/sources', { params: { path: { dataset } } })),
  })
}

const orderedKey = (dataset: string) => ['ordered', dataset] as const

/** Uploads that this person had the server fetch since the tab was opened: their results are shown. */
export function useOrdered(dataset: string): readonly string[] {
  return useQuery({ queryKey: orderedKey(dataset), queryFn: (): string[] => [], staleTime: Infinity, gcTime: Infinity }).data ?? []
}

export function useForgetOrder(dataset: string): (upload: string) => void {
  const queries = useQueryClient()
  return (upload) => queries.setQueryData(orderedKey(dataset), (ids: string[] = []) => ids.filter((id) => id !== upload))
}

function useNoteOrder(dataset: string) {
  const queries = useQueryClient()
  return ({ upload }: { upload: { id: string } }) => {
    queries.setQueryData(orderedKey(dataset), (ids: string[] = []) => [...ids, upload.id])
    return queries.invalidateQueries({ queryKey: uploadsKey(dataset) })
  }
}

/** Has the server bring real examples of the project's task. */
export function useExamples(dataset: string) {
  const onSuccess = useNoteOrder(dataset)
  return useMutation({
    mutationFn: () => data(api.POST('/api/datasets/{dataset}/examples', { params: { path: { dataset } } })),
    onSuccess,
  })
}

/** Has the server fetch data itself, in the background. Nothing of a source is remembered here: there may be keys in it. */
export function useCollect(dataset: string) {
  const onSuccess = useNoteOrder(dataset)
  return useMutation({
    meta: { isErrorShown: true },
    gcTime: 0,
    mutationFn: (body: { source: Source; labels: 'folder' | 'none' }) =>
      data(api.POST('/api/datasets/{dataset}/sources', { params: { path: { dataset } }, body })),
    onSuccess,
  })
}

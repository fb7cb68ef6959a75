import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { components } from '../../../lib/api/schema'
import { useWorkspace } from '../../../lib/session/session'

export type Shelf = Answer<'ShelfOut'>
export type ShelfCheck = Answer<'ShelfCheckOut'>
export type Pack = ShelfCheck['packs'][number]
export type Report = ShelfCheck['report']

const of = (shelf: string) => ({ params: { path: { shelf } } })

export function useShelves(project: string) {
  return useInfiniteQuery({
    queryKey: ['shelves', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/shelves', { params: { path: { project }, query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useShelf(shelf: string) {
  return useQuery({ queryKey: ['shelves', shelf], queryFn: () => data(api.GET('/api/shelves/{shelf}', of(shelf))) })
}

/** The deployments that can find packs. */
export function useDetectorChoices(project: string) {
  return useQuery({
    queryKey: ['deployments', 'choices', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: 100 } } })),
    select: (page) => page.items,
  })
}

/** The galleries of all projects that are in sight. */
export function useGalleryChoices() {
  const workspace = useWorkspace()?.id ?? ''
  return useQuery({
    queryKey: ['places', workspace, ''],
    enabled: workspace !== '',
    queryFn: () => data(api.GET('/api/places', { params: { query: { workspace, search: '' } } })),
    select: (places) => places.items.filter(({ kind }) => kind === 'gallery'),
  })
}

/** The dialog shows the error. */
export function useCreateShelf(project: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: components['schemas']['ShelfIn']) =>
      data(api.POST('/api/projects/{project}/shelves', { params: { path: { project } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['shelves', 'list'] }),
  })
}

export function useChangeShelf(shelf: string, isErrorShown = false) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown },
    mutationFn: (body: components['schemas']['ShelfPatchIn']) => data(api.PATCH('/api/shelves/{shelf}', { ...of(shelf), body })),
    onSuccess: (changed) => {
      queries.setQueryData(['shelves', shelf], changed)
      return queries.invalidateQueries({ queryKey: ['shelves', 'list'] })
    },
  })
}

export function useDeleteShelf(shelf: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/api/shelves/{shelf}', of(shelf)),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['shelves', shelf] })
      return queries.invalidateQueries({ queryKey: ['shelves', 'list'] })
    },
  })
}

const form = (fields: Record<string, string | File>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return body
}

/** What stands on a photo. It is not kept. */
export function useCheck(shelf: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (file: File) => send<ShelfCheck>(`/api/shelves/${shelf}/check`, { method: 'POST', body: form({ file }) }),
  })
}

/** Packs of a photo become pictures of a product in the gallery. */
export function useAddPacks(shelf: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, file, packs }: { name: string; file: File; packs: readonly Pack[] }) =>
      send<Answer<'GalleryEntryOut'>[]>(`/api/shelves/${shelf}/packs`, {
        method: 'POST',
        body: form({ name, file, boxes: JSON.stringify(packs.map(({ box }) => box)) }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['galleries'] }),
  })
}

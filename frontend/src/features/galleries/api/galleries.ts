import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { components } from '../../../lib/api/schema'

export type Gallery = Answer<'GalleryOut'>
export type GalleryEntry = Answer<'GalleryEntryOut'>
export type GallerySearch = Answer<'GallerySearchOut'>
export type GalleryVerdict = Answer<'GalleryVerifyOut'>

const LIVE_MS = 1500
const PAGE = 60
const FINISHED = ['succeeded', 'failed', 'cancelled', 'stopped']

/** Whether the gallery is on its way to another model. */
export const isSwitching = ({ job }: Gallery) => job !== null && !FINISHED.includes(job.state)

const of = (gallery: string) => ({ params: { path: { gallery } } })

export function useGalleries(project: string) {
  return useInfiniteQuery({
    queryKey: ['galleries', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/galleries', { params: { path: { project }, query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useGallery(gallery: string) {
  return useQuery({
    queryKey: ['galleries', gallery],
    queryFn: () => data(api.GET('/api/galleries/{gallery}', of(gallery))),
    refetchInterval: (query) => (query.state.data && isSwitching(query.state.data) ? LIVE_MS : false),
  })
}

export function useEntries(gallery: string) {
  return useInfiniteQuery({
    queryKey: ['galleries', gallery, 'entries'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/galleries/{gallery}/entries', { params: { path: { gallery }, query: { limit: PAGE, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** The addresses that a gallery can take its model from. */
export function useDeploymentChoices(project: string) {
  return useQuery({
    queryKey: ['deployments', 'choices', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: 100 } } })),
    select: (page) => page.items,
  })
}

function useChange<Result, Given = void>(change: (given: Given) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: ['galleries'] }) })
}

/** The dialog shows the error. */
export function useCreateGallery(project: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: components['schemas']['GalleryIn']) =>
      data(api.POST('/api/projects/{project}/galleries', { params: { path: { project } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['galleries'] }),
  })
}

export const useChangeGallery = (gallery: string) =>
  useChange((body: components['schemas']['GalleryPatchIn']) => data(api.PATCH('/api/galleries/{gallery}', { ...of(gallery), body })))

export const useFollowModel = (gallery: string) => useChange(() => data(api.POST('/api/galleries/{gallery}/model', of(gallery))))

export const useCancelSwitch = () =>
  useChange((job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })))

export function useDeleteGallery(gallery: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/api/galleries/{gallery}', of(gallery)),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['galleries', gallery] })
      return queries.invalidateQueries({ queryKey: ['galleries', 'list'] })
    },
  })
}

export const useDeleteEntry = (gallery: string) =>
  useChange((entry: string) => api.DELETE('/api/galleries/{gallery}/entries/{entry}', { params: { path: { gallery, entry } } }))

const form = (fields: Record<string, string | File | readonly File[]>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? (value as readonly File[]) : [value as string | File]) body.append(name, each)
  return body
}

/** Adds pictures of one thing, all or none. */
export const useAddPictures = (gallery: string) =>
  useChange(({ name, files }: { name: string; files: readonly File[] }) =>
    send<GalleryEntry[]>(`/api/galleries/${gallery}/entries`, { method: 'POST', body: form({ name, file: files }) }),
  )

/** What a picture shows. It is not kept. */
export function useSearch(gallery: string) {
  return useMutation({
    mutationFn: (file: File) => send<GallerySearch>(`/api/galleries/${gallery}/search?top=6`, { method: 'POST', body: form({ file }) }),
  })
}

/** Whether two pictures show the same thing. They are not kept. */
export function useVerify(gallery: string) {
  return useMutation({
    mutationFn: ({ first, second }: { first: File; second: File }) =>
      send<GalleryVerdict>(`/api/galleries/${gallery}/verify`, { method: 'POST', body: form({ first, second }) }),
  })
}

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'

export type Device = Answer<'DeviceOut'>
export type DeviceRollout = Answer<'DeviceRolloutOut'>

/** Devices speak every ten seconds. */
const LIVE_MS = 5000

const of = (device: string) => ({ params: { path: { device } } })
const inProject = (project: string) => ({ params: { path: { project } } })

export function useDevices(project: string) {
  return useInfiniteQuery({
    queryKey: ['devices', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/devices', { params: { path: { project }, query: { limit: 100, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LIVE_MS,
  })
}

/** The newest rollout; null where there was none. */
export function useDeviceRollout(project: string) {
  return useQuery({
    queryKey: ['devices', 'rollout', project],
    queryFn: async () => (await data(api.GET('/api/projects/{project}/devices/rollout', inProject(project)))) ?? null,
    refetchInterval: LIVE_MS,
  })
}

/** What has changed since devices got it: galleries, templates. */
export function useAttachmentsBehind(project: string) {
  return useQuery({
    queryKey: ['devices', 'attachments', project],
    queryFn: () => data(api.GET('/api/projects/{project}/devices/attachments', inProject(project))),
    refetchInterval: LIVE_MS,
  })
}

/** A code that is shown once; the dialog shows the error. */
export function useJoinCode(project: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: () => data(api.POST('/api/projects/{project}/devices/join-codes', inProject(project))),
  })
}

function useChange<Given>(change: (given: Given) => Promise<unknown>, isErrorShown = false) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown },
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['devices'] }),
  })
}

export const useAssignModel = (device: string) =>
  useChange((body: components['schemas']['DeviceAssignIn']) => data(api.POST('/api/devices/{device}/model', { ...of(device), body })), true)

export const useChangeDevice = (device: string) =>
  useChange((body: components['schemas']['DevicePatchIn']) => data(api.PATCH('/api/devices/{device}', { ...of(device), body })))

export const useRemoveDevice = (device: string) => useChange(() => api.DELETE('/api/devices/{device}', of(device)))

export const useStartRollout = (project: string, isErrorShown = false) =>
  useChange(
    (body: components['schemas']['DeviceRolloutIn']) =>
      data(api.POST('/api/projects/{project}/devices/rollout', { ...inProject(project), body })),
    isErrorShown,
  )

export const useUpdateAttachment = (project: string) =>
  useChange((body: components['schemas']['DeviceAttachmentIn']) =>
    data(api.POST('/api/projects/{project}/devices/attachments', { ...inProject(project), body })),
  )

export const useStopRollout = (project: string) =>
  useChange(() => api.DELETE('/api/projects/{project}/devices/rollout', inProject(project)))

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Where the working state stands, and the branches there are. */
export function useBranches(project: string) {
  return useQuery({
    queryKey: ['versions', project, 'branches'],
    queryFn: () => data(api.GET('/api/projects/{project}/branches', { params: { path: { project } } })),
  })
}

export function useLastRestore(project: string) {
  return useQuery({
    queryKey: ['versions', project, 'last-restore'],
    queryFn: async () => (await data(api.GET('/api/labeling/restores/last', { params: { query: { project } } }))).last,
  })
}

const ENDED = new Set(['succeeded', 'failed', 'cancelled', 'stopped'])

/** The restore that is running, if any; its events keep it fresh. */
export function useRunningRestore(project: string) {
  return useQuery({
    queryKey: ['jobs', project, 'restore'],
    queryFn: async () => {
      const page = await data(api.GET('/api/jobs', { params: { query: { project, kind: 'restore', limit: 1 } } }))
      return page.items.find((job) => !ENDED.has(job.state)) ?? null
    },
    refetchInterval: (query) => (query.state.data ? 1000 : false),
  })
}

export type Step =
  | { kind: 'restore'; version: string }
  | { kind: 'undo'; job: string }
  | { kind: 'branch'; name: string; version: string }
  | { kind: 'switch'; name: string }

/** Asks for one of the ways to put the working state back; a job does it. */
export function useRestoreStep(project: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (step: Step) => {
      if (step.kind === 'restore') return data(api.POST('/api/labeling/restores', { body: { project, version: step.version } }))
      if (step.kind === 'undo') return data(api.POST('/api/labeling/restores/undo', { body: { job: step.job } }))
      if (step.kind === 'branch')
        return data(api.POST('/api/labeling/branches', { body: { project, name: step.name, version: step.version } }))
      return data(api.POST('/api/labeling/branches/switch', { body: { project, name: step.name } }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

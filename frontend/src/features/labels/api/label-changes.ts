import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import { labelScope } from '../../../lib/labels/set-labels'
import { projectKey } from '../../../lib/project/project'

type Schemas = components['schemas']
export type Plan = Schemas['LabelChangeIn']['plan']
export type LabelChange = Schemas['LabelChangeOut']
export type Preview = Schemas['LabelPreviewOut']
type Started = Schemas['LabelChangeStartedOut']

const changesKey = (project: string) => ['label-changes', project] as const
const POLL_MS = 1000

function useRefresh(project: string) {
  const queries = useQueryClient()
  const stale = [projectKey(project), ['items'], ['summary'], changesKey(project)]
  return () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** What a change would do; asked again whenever the plan changes. */
export function usePreview(project: string, plan: Plan | null) {
  return useQuery({
    queryKey: ['label-preview', project, plan],
    enabled: plan !== null,
    retry: false,
    gcTime: 0,
    queryFn: () => data(api.POST('/api/labeling/label-changes/preview', { body: { project, plan: plan as Plan } })),
  })
}

/** Renames, merges or splits; large ones go on in the background. */
export function useStartChange(project: string) {
  const refresh = useRefresh(project)
  return useMutation({
    scope: labelScope(project),
    mutationFn: (plan: Plan): Promise<Started> => data(api.POST('/api/labeling/label-changes', { body: { project, plan } })),
    onSuccess: refresh,
  })
}

export function useUndoChange(project: string) {
  const refresh = useRefresh(project)
  return useMutation({
    scope: labelScope(project),
    mutationFn: (change: string): Promise<Started> =>
      data(api.POST('/api/labeling/label-changes/{label_change}/undo', { params: { path: { label_change: change } } })),
    onSuccess: refresh,
  })
}

const isMoving = (change: LabelChange) => change.state === 'applying' || change.state === 'undoing'

/** What was done to the labels, newest first; watched while something goes on. */
export function useChanges(project: string) {
  const refresh = useRefresh(project)
  return useQuery({
    queryKey: changesKey(project),
    queryFn: async ({ client }) => {
      const before = client.getQueryData<LabelChange[]>(changesKey(project))
      const { items } = await data(api.GET('/api/labeling/label-changes', { params: { query: { project, limit: 50 } } }))
      if (before?.some(isMoving) && !items.some(isMoving)) setTimeout(refresh)
      return items
    },
    refetchInterval: (query) => (query.state.data?.some(isMoving) ? POLL_MS : false),
  })
}

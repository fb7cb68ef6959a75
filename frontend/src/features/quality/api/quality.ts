import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Answer } from '../../../lib/api/answer'
import type { components } from '../../../lib/api/schema'

type Schemas = components['schemas']
export type Quality = Answer<'QualityOut'>
export type Report = Answer<'QualityReport'>
export type Kind = Schemas['FindingKind']
export type Finding = Answer<'FindingOut'>
export type Histogram = Schemas['Histogram']
export type Note = Schemas['Note']
export type QualityAction = Schemas['QualityActionOut']
export type ActionKind = Schemas['QualityActionIn']['action']

const POLL_MS = 1500
const PAGE = 60

export const isRunning = (job: Quality['job']): boolean => job !== null && ['queued', 'leased', 'running'].includes(job.state)

export function useQuality(dataset: string) {
  return useQuery({
    queryKey: ['quality', dataset],
    enabled: dataset !== '',
    queryFn: () => data(api.GET('/api/datasets/{dataset}/quality', { params: { path: { dataset } } })),
    refetchInterval: (query) => (query.state.data && isRunning(query.state.data.job) ? POLL_MS : false),
  })
}

export function useRunQuality(dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/datasets/{dataset}/quality/run', { params: { path: { dataset } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['quality'] }),
  })
}

export function useCancelQuality() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (job: string) => data(api.POST('/api/jobs/{job_id}/cancel', { params: { path: { job_id: job } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['quality'] }),
  })
}

interface FindingsRequest {
  kind: Kind
  minSeverity: number
  isDismissed: boolean
}

export function useFindings(dataset: string, { kind, minSeverity, isDismissed }: FindingsRequest) {
  return useInfiniteQuery({
    queryKey: ['quality', dataset, 'findings', kind, minSeverity, isDismissed],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/datasets/{dataset}/quality/findings', {
          params: { path: { dataset }, query: { kind, min_severity: minSeverity, dismissed: isDismissed, limit: PAGE, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

interface ActionRequest {
  action: ActionKind
  kind: Kind
  /** Null: all of the kind. */
  items: string[] | null
  minSeverity: number
}

/** What findings touch: the report, the items and all that counts them. */
const TOUCHED = ['quality', 'items', 'summary', 'facets', 'project']

function useTouch() {
  const queries = useQueryClient()
  return () => Promise.all(TOUCHED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
}

export function useAct(dataset: string) {
  const touch = useTouch()
  return useMutation({
    mutationFn: ({ action, kind, items, minSeverity }: ActionRequest) =>
      data(
        api.POST('/api/datasets/{dataset}/quality/actions', {
          params: { path: { dataset } },
          body: { action, kind, items, min_severity: minSeverity },
        }),
      ),
    onSettled: touch,
  })
}

export function useUndoQuality() {
  const touch = useTouch()
  return useMutation({
    mutationFn: (action: string) =>
      data(api.POST('/api/quality/actions/{quality_action}/undo', { params: { path: { quality_action: action } } })),
    onSettled: touch,
  })
}

export function useActions(dataset: string) {
  return useInfiniteQuery({
    queryKey: ['quality', dataset, 'actions'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/datasets/{dataset}/quality/actions', { params: { path: { dataset }, query: { limit: 30, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useQuarantined(dataset: string) {
  return useInfiniteQuery({
    queryKey: ['items', dataset, 'quarantined'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/datasets/{dataset}/items', {
          params: { path: { dataset }, query: { where: 'quarantined', limit: PAGE, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useRestore(dataset: string) {
  const touch = useTouch()
  return useMutation({
    mutationFn: (items: string[]) =>
      data(api.POST('/api/datasets/{dataset}/items/restore', { params: { path: { dataset } }, body: { items } })),
    onSettled: touch,
  })
}

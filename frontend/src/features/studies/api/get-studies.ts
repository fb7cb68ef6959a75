import { useInfiniteQuery, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** A running trial reports more often than the event stream sends. */
const LIVE_MS = 2000

export function useStudies(project: string) {
  return useInfiniteQuery({
    queryKey: ['studies', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => data(api.GET('/api/studies', { params: { query: { project, limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useStudy(study: string) {
  return useQuery({
    queryKey: ['studies', study],
    queryFn: () => data(api.GET('/api/studies/{study_id}', { params: { path: { study_id: study } } })),
    refetchInterval: (query) => (query.state.data?.state === 'running' ? LIVE_MS : false),
  })
}

/** Trials with their curves, in order. */
export function useTrials(study: string, isRunning: boolean) {
  return useQuery({
    queryKey: ['studies', study, 'trials'],
    queryFn: () => data(api.GET('/api/studies/{study_id}/trials', { params: { path: { study_id: study } } })),
    refetchInterval: isRunning ? LIVE_MS : false,
  })
}

export function useImportance(study: string) {
  return useQuery({
    queryKey: ['studies', study, 'importance'],
    queryFn: () => data(api.GET('/api/studies/{study_id}/importance', { params: { path: { study_id: study } } })),
  })
}

/** What the search has gained; asked again when another trial has succeeded. */
export function useGain(study: string, numSucceeded: number) {
  return useQuery({
    queryKey: ['studies', study, 'gain', numSucceeded],
    queryFn: () => data(api.GET('/api/studies/{study_id}/gain', { params: { path: { study_id: study } } })),
  })
}

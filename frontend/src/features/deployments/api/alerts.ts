import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { AlertsRequest } from '../model/alerts-form'

/** Conditions are judged every minute. */
const JUDGED_MS = 15_000

const of = (deployment: string) => ({ params: { path: { deployment_id: deployment } } })

/** Which conditions hold now. */
export function useAlertState(deployment: string) {
  return useQuery({
    queryKey: ['alerts', deployment, 'state'],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/alerts/state', of(deployment))),
    refetchInterval: JUDGED_MS,
  })
}

/** Alerts with the messages about them, newest first. */
export function useAlerts(deployment: string) {
  return useInfiniteQuery({
    queryKey: ['alerts', deployment, 'list'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(
        api.GET('/api/deployments/{deployment_id}/alerts', {
          params: { path: { deployment_id: deployment }, query: { limit: 10, cursor: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: JUDGED_MS,
  })
}

/** What is watched, and where alerts go; only for people who may change it. */
export function useAlertSettings(deployment: string) {
  return useQuery({
    queryKey: ['alerts', deployment, 'settings'],
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/alerts/settings', of(deployment))),
  })
}

/** Saves the settings; the page shows the error. */
export function useSetAlerts(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: AlertsRequest) => data(api.PUT('/api/deployments/{deployment_id}/alerts/settings', { ...of(deployment), body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts', deployment] }),
  })
}

/** Sends a test to every receiver; the page shows the error. */
export function useTestAlerts(deployment: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: () => data(api.POST('/api/deployments/{deployment_id}/alerts/test', of(deployment))),
  })
}

/** Makes another secret. */
export function useRenewSecret(deployment: string) {
  return useMutation({
    mutationFn: () => data(api.POST('/api/deployments/{deployment_id}/alerts/secret', of(deployment))),
  })
}

import { type MutationMeta, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import type { Annotation } from '../../../lib/api/types'

type Schemas = components['schemas']
export type Campaign = Schemas['CampaignOut']
export type CampaignIn = Schemas['CampaignIn']
export type CampaignChange = Schemas['CampaignChangeIn']
export type Report = Schemas['CampaignReportOut']
export type Worker = Schemas['WorkerOut']
export type QueueItem = Schemas['QueueItemOut']

const LIVE_MS = 15_000

export function useCampaigns(project: string, isAllowed = true) {
  return useInfiniteQuery({
    queryKey: ['campaigns', project],
    enabled: isAllowed && project !== '',
    refetchInterval: LIVE_MS,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => data(api.GET('/api/labeling/campaigns', { params: { query: { project, cursor, limit: 50 } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

export function useCampaign(campaign: string) {
  return useQuery({
    queryKey: ['campaigns', 'one', campaign],
    refetchInterval: LIVE_MS,
    queryFn: () => data(api.GET('/api/labeling/campaigns/{campaign}', { params: { path: { campaign } } })),
  })
}

export function useCampaignReport(campaign: string) {
  return useQuery({
    queryKey: ['campaigns', 'report', campaign],
    refetchInterval: LIVE_MS,
    queryFn: () => data(api.GET('/api/labeling/campaigns/{campaign}/report', { params: { path: { campaign } } })),
  })
}

export function useDisputes(campaign: string) {
  return useInfiniteQuery({
    queryKey: ['campaigns', 'disputes', campaign],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      data(api.GET('/api/labeling/campaigns/{campaign}/disputes', { params: { path: { campaign }, query: { cursor, limit: 20 } } })),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

export type Dispute = NonNullable<ReturnType<typeof useDisputes>['data']>['pages'][number]['items'][number]

export function useWorkers(project: string, days: number) {
  return useQuery({
    queryKey: ['workers', project, days],
    queryFn: () => data(api.GET('/api/labeling/workers', { params: { query: { project, days } } })),
  })
}

function useCampaignMutation<Variables, Answer>(mutationFn: (variables: Variables) => Promise<Answer>, meta?: MutationMeta) {
  const queries = useQueryClient()
  return useMutation({
    meta,
    mutationFn,
    // Under way until the lists are new, so that nobody decides twice what has been decided.
    onSuccess: () => Promise.all(['campaigns', 'summary', 'items'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  })
}

export const useCreateCampaign = () =>
  useCampaignMutation((body: CampaignIn) => data(api.POST('/api/labeling/campaigns', { body })), { isErrorShown: true })

export const useChangeCampaign = (campaign: string) =>
  useCampaignMutation((body: CampaignChange) =>
    data(api.PATCH('/api/labeling/campaigns/{campaign}', { params: { path: { campaign } }, body })),
  )

export const useMerge = (campaign: string) =>
  useCampaignMutation((min_confidence: number) =>
    data(api.POST('/api/labeling/campaigns/{campaign}/merge', { params: { path: { campaign } }, body: { min_confidence } })),
  )

export const useSettle = (campaign: string) =>
  useCampaignMutation(({ item, annotations }: { item: string; annotations: Annotation[] }) =>
    data(
      api.POST('/api/labeling/campaigns/{campaign}/disputes/{item}', {
        params: { path: { campaign, item } },
        body: { annotations },
      }),
    ),
  )

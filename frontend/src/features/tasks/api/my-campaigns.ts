import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'

export type MyCampaign = components['schemas']['MyCampaignOut']

/** The campaigns that I label in, in all my workspaces. */
export function useMyCampaigns() {
  return useQuery({
    queryKey: ['campaigns', 'mine'],
    refetchInterval: 10_000,
    queryFn: () => data(api.GET('/api/labeling/campaigns/mine')),
  })
}

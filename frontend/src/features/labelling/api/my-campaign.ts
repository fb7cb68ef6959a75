import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** A campaign as one of its labellers sees it. */
export function useMyCampaign(campaign: string) {
  return useQuery({
    queryKey: ['campaigns', 'mine'],
    queryFn: () => data(api.GET('/api/labeling/campaigns/mine')),
    select: (all) => all.find((one) => one.id === campaign),
  })
}

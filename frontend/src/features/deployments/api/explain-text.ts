import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Asks what counted in a text; only when `refetch` is called, and given up when nobody shows it any more. */
export function useExplain(deployment: string, text: string) {
  return useQuery({
    queryKey: ['explain', deployment, text],
    enabled: false,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) =>
      data(
        api.POST('/api/deployments/{deployment_id}/explain/texts', {
          params: { path: { deployment_id: deployment } },
          body: { text },
          signal,
        }),
      ),
  })
}

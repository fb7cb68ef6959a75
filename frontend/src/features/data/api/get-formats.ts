import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The interchange formats of labels; they change with the server's version only. */
export function useLabelFormats({ isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    queryKey: ['label-formats'],
    queryFn: () => data(api.GET('/api/label-formats')),
    staleTime: Infinity,
    enabled: isEnabled,
  })
}

/** Who else looks at the picture. */
import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'

import { api, data } from '../../../lib/api/client'

/** Told and asked a moment after the picture came, and now and then while it stays: who walks fast disturbs nobody. */
export function usePresence(item: string | undefined) {
  const [settled] = useDebouncedValue(item, 800)
  const people = useQuery({
    queryKey: ['presence', settled],
    enabled: settled !== undefined && settled === item,
    refetchInterval: 15_000,
    refetchOnWindowFocus: false,
    retry: false,
    queryFn: () => data(api.POST('/api/labeling/presence', { body: { item: settled ?? '' } })),
  })
  return settled === item ? (people.data?.people ?? []) : []
}

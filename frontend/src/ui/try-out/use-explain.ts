import { useQuery } from '@tanstack/react-query'

import type { Evidence } from '../../lib/evidence'

/** An explanation that is requested only when `refetch` is called, and dropped when nobody shows it any more. */
export function useExplain(key: readonly unknown[], request: (signal: AbortSignal) => Promise<Evidence>) {
  return useQuery({ queryKey: ['explain', ...key], enabled: false, retry: false, gcTime: 0, queryFn: ({ signal }) => request(signal) })
}

import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Evidence } from '../../../lib/evidence'

/** Asks what counted in a text; only when `refetch` is called, and given up when nobody shows it any more. */
export function useExplainText(deployment: string, text: string) {
  return useExplain(['text', deployment, text], (signal) =>
    data(
      api.POST('/api/deployments/{deployment_id}/explain/texts', {
        params: { path: { deployment_id: deployment } },
        body: { text },
        signal,
      }),
    ),
  )
}

/** The same of a picture, the `number`th that is asked about. */
export function useExplainPicture(deployment: string, picture: File | null, number: number) {
  return useExplain(['picture', deployment, number], (signal) => {
    const body = new FormData()
    if (picture) body.append('file', picture)
    return send<Evidence>(`/api/deployments/${deployment}/explain/pictures`, { method: 'POST', body, signal })
  })
}

function useExplain(key: readonly unknown[], ask: (signal: AbortSignal) => Promise<Evidence>) {
  return useQuery({ queryKey: ['explain', ...key], enabled: false, retry: false, gcTime: 0, queryFn: ({ signal }) => ask(signal) })
}

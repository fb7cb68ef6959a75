import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

type Cells = Record<string, string>

/** The columns that a deployment reads, with what is typical of them and rows to begin with. */
export function useRowForm(deployment: string) {
  return useQuery({
    queryKey: ['deployments', deployment, 'form'],
    staleTime: Infinity,
    queryFn: () => data(api.GET('/api/deployments/{deployment_id}/form', { params: { path: { deployment_id: deployment } } })),
  })
}

/** The prediction of a row. A later row cancels the request for the one before, whose answer stays in sight meanwhile. */
export function useRowAnswer(deployment: string, row: Cells | null, top: number | undefined) {
  return useQuery({
    queryKey: ['try-row', deployment, row, top],
    enabled: row !== null,
    gcTime: 60_000,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      data(
        api.POST('/api/deployments/{deployment_id}/try/rows', {
          params: { path: { deployment_id: deployment }, query: { top: top ?? null } },
          body: { rows: [row ?? {}] },
          signal,
        }),
      ),
  })
}

/** What each column of a row adds to the answer. */
export function useRowExplanation(deployment: string, row: Cells | null, label: string | null) {
  return useQuery({
    queryKey: ['explain-row', deployment, row, label],
    enabled: row !== null,
    gcTime: 60_000,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      data(
        api.POST('/api/deployments/{deployment_id}/explain/rows', {
          params: { path: { deployment_id: deployment } },
          body: { row: row ?? {}, label },
          signal,
        }),
      ),
  })
}

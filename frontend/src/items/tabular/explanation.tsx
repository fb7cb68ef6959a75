import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../lib/api/client'
import { ErrorState } from '../../ui/error-state'
import { LoadingState } from '../../ui/loading-state'
import type { ExplanationProps } from '../kind'
import { RowReasons } from './row-reasons'

/** What each column of a judged row adds to a model's answer. Rows that were judged do not change, so neither does this. */
export function RowExplanation({ artefact, item, label, format }: ExplanationProps) {
  const found = useQuery({
    queryKey: ['report', artefact, 'explain-row', item, label],
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/artefacts/{artefact_id}/explain/row', {
          params: { path: { artefact_id: artefact }, query: { item, label } },
          signal,
        }),
      ),
  })
  if (found.isPending) return <LoadingState rows={6} height={18} />
  if (found.isError) return <ErrorState error={found.error} />
  return <RowReasons explained={found.data} format={format} />
}

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { ofLabels } from '../../../answers/annotations'
import { api, data } from '../../../lib/api/client'
import { useUndoBulkChanges } from '../../../lib/dataset/undo-bulk-changes'
import { mapKey } from './get-map'

/** The most that one request may name. */
const AT_ONCE = 1000

export type Change = { kind: 'label'; label: string } | { kind: 'quarantine' } | { kind: 'delete' }

function refresh(queries: QueryClient, project: string): Promise<unknown> {
  const stale = [mapKey(project), ['items'], ['facets'], ['bulk'], ['summary'], ['guide', project], ['project', project], ['similar']]
  return Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Does one thing to what was selected on the map; answers with how many changed and with what undoes it. */
export function useChangeSelection(project: string, dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ items, ...what }: Change & { items: readonly string[] }) => {
      const params = { path: { dataset } }
      const change = what.kind === 'label' ? { kind: what.kind, annotations: ofLabels([what.label]) } : { kind: what.kind }
      const ids: string[] = []
      let num = 0
      for (let start = 0; start < items.length; start += AT_ONCE) {
        const body = { change, items: items.slice(start, start + AT_ONCE) }
        const done = await data(api.POST('/api/datasets/{dataset}/bulk', { params, body }))
        ids.push(done.id)
        num += done.num_items
      }
      return { ids, num }
    },
    onSettled: () => refresh(queries, project),
  })
}

/** Undoes changes of selections, the last one first. */
export function useUndoSelectionChanges(project: string, dataset: string) {
  const queries = useQueryClient()
  return useUndoBulkChanges(dataset, () => refresh(queries, project))
}

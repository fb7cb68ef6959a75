import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { mapKey } from './get-map'

/** The most that one request may name. */
const AT_ONCE = 1000

export type Change = { kind: 'delete' | 'restore'; items: readonly string[] } | { kind: 'label'; items: readonly string[]; label: string }

async function send(dataset: string, change: Change, items: string[]): Promise<unknown> {
  const params = { path: { dataset } }
  if (change.kind === 'label') {
    const annotations = [{ kind: 'class' as const, label: change.label }]
    return data(api.POST('/api/labeling/annotations/batch', { body: { items, annotations, operation: crypto.randomUUID() } }))
  }
  if (change.kind === 'delete') return data(api.POST('/api/datasets/{dataset}/items/delete', { params, body: { items } }))
  return data(api.POST('/api/datasets/{dataset}/items/restore', { params, body: { items } }))
}

/** Labels, deletes or brings back what was selected on the map. */
export function useChangeItems(project: string, dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change) => {
      for (let start = 0; start < change.items.length; start += AT_ONCE) {
        await send(dataset, change, change.items.slice(start, start + AT_ONCE))
      }
    },
    onSettled: () => {
      const stale = [mapKey(project), ['items'], ['summary'], ['guide', project], ['project', project], ['similar']]
      return Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
}

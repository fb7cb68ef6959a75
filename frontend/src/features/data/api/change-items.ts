import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Annotation } from '../../../lib/api/types'
import { projectKey } from '../../../lib/project/project'
import { itemsKey } from './get-items'
import { summaryKey } from '../../../lib/dataset/summary'

/** The most that one request may name. */
const AT_ONCE = 1000

function portions(items: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, index) => items.slice(index * AT_ONCE, (index + 1) * AT_ONCE))
}

export async function refreshItems(queries: QueryClient, project: string, dataset: string): Promise<void> {
  const stale = [itemsKey(dataset), summaryKey(dataset), projectKey(project), ['guide', project]]
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

type Change =
  { kind: 'delete' | 'restore'; items: readonly string[] } | { kind: 'label'; items: readonly string[]; annotations: Annotation[] | null }

/** Deletes, brings back or labels many pictures. */
export function useChangeItems(project: string, dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change) => {
      for (const items of portions(change.items)) {
        if (change.kind === 'label') {
          const body = { items, annotations: change.annotations, operation: crypto.randomUUID() }
          await data(api.POST('/api/labeling/annotations/batch', { body }))
        } else if (change.kind === 'delete') {
          await data(api.POST('/api/datasets/{dataset}/items/delete', { params: { path: { dataset } }, body: { items } }))
        } else {
          await data(api.POST('/api/datasets/{dataset}/items/restore', { params: { path: { dataset } }, body: { items } }))
        }
      }
    },
    onSettled: () => refreshItems(queries, project, dataset),
  })
}

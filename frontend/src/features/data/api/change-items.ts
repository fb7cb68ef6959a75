import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Annotation, Split } from '../../../lib/api/types'
import { summaryKey } from '../../../lib/dataset/summary'
import { useUndoBulkChanges } from '../../../lib/dataset/undo-bulk-changes'
import { projectKey } from '../../../lib/project/project'
import { type ItemFilter, queryOf } from '../model/filter'
import { facetsKey } from '../../../lib/dataset/facets'
import { itemsKey } from './use-wall'

/** The most that one request may name. */
const AT_ONCE = 1000

export type Change =
  | { kind: 'label'; annotations: Annotation[] | null }
  | { kind: 'quarantine' }
  | { kind: 'delete' }
  | { kind: 'restore' }
  | { kind: 'split'; split: Split }
  | { kind: 'metadata'; metadata: Record<string, string | null> }

/** Pictures by name, or all that match a filter but for some. */
export type Target = { items: readonly string[] } | { matching: ItemFilter; excluding: readonly string[] }

/** The defaults that a query may leave out and a body may not. */
const WHOLE = { where: 'present', state: 'all', q: '' } as const

export const bulkKey = (dataset: string) => ['bulk', dataset] as const

export async function refreshItems(queries: QueryClient, project: string, dataset: string): Promise<void> {
  const stale = [
    itemsKey(dataset),
    facetsKey(dataset),
    summaryKey(dataset),
    projectKey(project),
    ['guide', project],
    bulkKey(dataset),
    ['jobs'],
  ]
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Does one thing to many pictures; answers with what can be undone, and whether it goes on as a job. */
export function useChangeItems(project: string, dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ change, target }: { change: Change; target: Target }) => {
      const params = { path: { dataset } }
      const bodies =
        'items' in target
          ? Array.from({ length: Math.ceil(target.items.length / AT_ONCE) }, (_, index) => ({
              change,
              items: target.items.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
            }))
          : [{ change, matching: { ...WHOLE, ...queryOf(target.matching) }, excluding: [...target.excluding] }]
      const done = []
      for (const body of bodies) done.push(await data(api.POST('/api/datasets/{dataset}/bulk', { params, body })))
      return { ids: done.map(({ id }) => id), num: done.reduce((sum, one) => sum + one.num_items, 0), isJob: done.some(({ job }) => job) }
    },
    onSettled: () => refreshItems(queries, project, dataset),
  })
}

/** Undoes changes of many items, the last one first. */
export function useUndoItemChanges(project: string, dataset: string) {
  const queries = useQueryClient()
  return useUndoBulkChanges(dataset, () => refreshItems(queries, project, dataset))
}

/** The last things done to many pictures. */
export function useRecentChanges(dataset: string, isOpen: boolean) {
  return useQuery({
    queryKey: bulkKey(dataset),
    enabled: isOpen,
    refetchInterval: (query) => (query.state.data?.items.some(({ state }) => state === 'running' || state === 'undoing') ? 1500 : false),
    queryFn: () => data(api.GET('/api/datasets/{dataset}/bulk', { params: { path: { dataset }, query: { limit: 15 } } })),
  })
}

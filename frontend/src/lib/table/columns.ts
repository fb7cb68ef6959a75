/** The columns of the project's table, in the order in which they are shown. */
import { useQuery } from '@tanstack/react-query'

import type { Answer } from '../api/answer'
import { api, data } from '../api/client'
import { useProject } from '../project/project'

export type Columns = Answer<'ColumnsOut'>
export type Column = Columns['columns'][number]

export const columnsKey = (dataset: string) => ['columns', dataset] as const

const ENDED = new Set(['succeeded', 'failed', 'cancelled', 'stopped'])
const POLL_MS = 1500

/** Whether rows are being labelled from their target. */
export const isLabelling = (columns: Pick<Columns, 'job'> | undefined): boolean => columns?.job != null && !ENDED.has(columns.job.state)

/** What the columns mean; asked for on pages of tables alone. */
export function useColumns() {
  const dataset = useProject().data?.dataset ?? ''
  return useQuery({
    queryKey: columnsKey(dataset),
    enabled: dataset !== '',
    queryFn: () => data(api.GET('/api/datasets/{dataset}/columns', { params: { path: { dataset } } })),
    refetchInterval: (query) => (isLabelling(query.state.data) ? POLL_MS : false),
  })
}

const RANK: Record<Column['role'] & string, number> = { target: 0, feature: 1, ignored: 2 }

/** The target first, then what is learned from, then the rest; each in the order of the file. */
export function inOrder(columns: readonly Column[]): Column[] {
  return [...columns].sort((one, other) => RANK[one.role ?? 'feature'] - RANK[other.role ?? 'feature'])
}

/** All columns but the target, as a row is read. */
export const besidesTarget = (columns: readonly Column[]): Column[] => inOrder(columns).filter(({ role }) => role !== 'target')

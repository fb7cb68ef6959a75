import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Shares } from '../model/shares'
import type { SplitRule } from './types'

/** How many items each split of a version made now would hold; without shares or a rule by those of the project. */
export function useSplitPreview(project: string, shares: Shares | null, rule: SplitRule | null) {
  return useQuery({
    queryKey: ['project', project, 'split-preview', shares, rule],
    queryFn: () => data(api.GET('/api/projects/{project}/split-preview', { params: { path: { project }, query: { ...shares, ...rule } } })),
    placeholderData: keepPreviousData,
  })
}

/** Columns, or names of metadata, that can decide on the splits. */
export function useSplitFields(project: string) {
  return useQuery({
    queryKey: ['project', project, 'split-fields'],
    queryFn: () => data(api.GET('/api/projects/{project}/split-fields', { params: { path: { project } } })),
  })
}

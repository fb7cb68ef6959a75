import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { Label } from '../api/types'
import { projectQuery } from '../project/project'

/**
 * Changes the label set, which is written as a whole: adds, recolours, sorts, hangs into the tree, describes, removes. Changes go one
 * after the other, each on top of what the one before has left, so that of two that are made quickly both hold.
 */
export function useSetLabels(project: string) {
  const queries = useQueryClient()
  return useMutation({
    scope: labelScope(project),
    mutationFn: async (change: (labels: readonly Label[]) => readonly Label[]) => {
      const before = (await queries.ensureQueryData(projectQuery(project))).label_set.labels
      const labels = change(before)
      if (labels === before) return
      const call = api.PUT('/api/projects/{project_id}/labels', {
        params: { path: { project_id: project } },
        body: { labels: [...labels] },
      })
      queries.setQueryData(projectQuery(project).queryKey, await data(call))
    },
  })
}

/** All that changes the labels of a project waits for one another. */
export const labelScope = (project: string) => ({ id: `labels ${project}` })

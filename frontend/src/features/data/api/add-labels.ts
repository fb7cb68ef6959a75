import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Project } from '../../../lib/api/types'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { projectKey } from '../../../lib/project/project'

/**
 * Puts the labels of a folder upload into the label set before the files arrive. The server would add them too, but in the
 * order in which parallel requests happen to end; the order is that of the number keys.
 */
export function useAddLabels(project: Project) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (names: readonly string[]) => {
      const before = project.label_set.labels
      const labels = withNewLabels(before, names)
      if (labels.length === before.length) return
      const params = { path: { project_id: project.id } }
      queries.setQueryData(projectKey(project.id), await data(api.PUT('/api/projects/{project_id}/labels', { params, body: { labels } })))
    },
  })
}

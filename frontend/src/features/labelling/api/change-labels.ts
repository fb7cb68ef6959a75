import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Label, Project } from '../../../lib/api/types'
import { projectKey } from '../../../lib/project/project'

/** Writes the label set, all of it in its order. */
export function useChangeLabels(project: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (labels: Label[]): Promise<Project> =>
      data(api.PUT('/api/projects/{project_id}/labels', { params: { path: { project_id: project } }, body: { labels } })),
    onSuccess: (changed) => queries.setQueryData(projectKey(project), changed),
  })
}

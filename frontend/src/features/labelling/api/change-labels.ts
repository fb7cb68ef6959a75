import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Label, Project } from '../../../lib/api/types'
import { projectKey } from '../../../lib/project/project'

type LabelChange = { kind: 'set'; labels: Label[] } | { kind: 'rename'; from: string; to: string }

/** Changes the label set: all of it in its order, or one name with everything that carries it. */
export function useChangeLabels(project: string) {
  const queries = useQueryClient()
  const params = { path: { project_id: project } }
  return useMutation({
    mutationFn: (change: LabelChange): Promise<Project> =>
      change.kind === 'set'
        ? data(api.PUT('/api/projects/{project_id}/labels', { params, body: { labels: change.labels } }))
        : data(api.POST('/api/projects/{project_id}/labels/rename', { params, body: { from: change.from, to: change.to } })),
    onSuccess: (changed) => {
      queries.setQueryData(projectKey(project), changed)
      void queries.invalidateQueries({ queryKey: ['items'] })
      void queries.invalidateQueries({ queryKey: ['summary'] })
    },
  })
}

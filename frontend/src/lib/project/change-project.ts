import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { components } from '../api/schema'
import { projectKey } from './project'

/** Changes name, description or rules of a project; `isErrorShown`: where it is asked for, what goes wrong is shown there. */
export function useChangeProject(project: string, isErrorShown = false) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown },
    mutationFn: (body: components['schemas']['ProjectChangeIn']) =>
      data(api.PATCH('/api/projects/{project_id}', { params: { path: { project_id: project } }, body })),
    onSuccess: (changed) => {
      queries.setQueryData(projectKey(project), changed)
      return queries.invalidateQueries({ queryKey: ['projects'] })
    },
  })
}

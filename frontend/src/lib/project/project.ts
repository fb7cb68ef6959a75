/** The project of the address. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { api, data } from '../api/client'

export const projectKey = (project: string) => ['project', project] as const

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: projectKey(project),
    queryFn: () => data(api.GET('/api/projects/{project_id}', { params: { path: { project_id: project } } })),
  })

export function useProjectId(): string {
  const { project } = useParams()
  if (!project) throw new Error('this page lives below /projects/:project')
  return project
}

export function useProject() {
  return useQuery(projectQuery(useProjectId()))
}

/** The task of the project: its metrics, families and options, as the server tells them. */
import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'
import { useProject } from './project'

export function useTask() {
  const project = useProject()
  return useQuery({
    queryKey: ['tasks'],
    queryFn: () => data(api.GET('/api/tasks')),
    staleTime: Infinity,
    select: (tasks) => tasks.find((task) => task.name === project.data?.task),
  })
}

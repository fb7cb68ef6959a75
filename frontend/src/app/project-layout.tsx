import { Outlet } from 'react-router'

import { useProjectEvents } from '../lib/events/use-project-events'
import { useProject, useProjectId } from '../lib/project/project'
import { ErrorState } from '../ui/error-state'
import { LoadingState } from '../ui/loading-state'

/** Loads the project once for all its pages and listens to what happens in it. */
export function ProjectLayout() {
  const id = useProjectId()
  const project = useProject()
  useProjectEvents(id)
  if (project.isPending) return <LoadingState />
  if (project.isError) return <ErrorState error={project.error} onRetry={() => void project.refetch()} />
  return <Outlet key={id} />
}

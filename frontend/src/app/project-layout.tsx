import { useEffect } from 'react'
import { Outlet } from 'react-router'

import { useProjectEvents } from '../lib/events/use-project-events'
import { useProject, useProjectId } from '../lib/project/project'
import { chooseWorkspace, useWorkspace } from '../lib/session/session'
import { ErrorState } from '../ui/error-state'
import { LoadingState } from '../ui/loading-state'

/** Loads the project once for all its pages and listens to what happens in it. */
export function ProjectLayout() {
  const id = useProjectId()
  const project = useProject()
  const home = project.data?.workspace
  const workspace = useWorkspace()
  useProjectEvents(id)
  // A link may lead to a project of another of one's workspaces, where one has another role. Only the arrival decides: whoever
  // switches the workspace afterwards is on the way out.
  useEffect(() => {
    if (home) chooseWorkspace(home)
  }, [home])
  if (project.isPending) return <LoadingState />
  // A refresh that fails takes nothing away: whoever works on the page goes on.
  if (!project.data) return <ErrorState error={project.error} onRetry={() => void project.refetch()} />
  if (workspace?.id !== home) return <LoadingState />
  return <Outlet key={id} />
}

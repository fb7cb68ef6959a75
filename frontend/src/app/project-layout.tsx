import { useEffect } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'

import { speakWith, voiceOf } from '../i18n/dialect'
import { useProjectEvents } from '../lib/events/use-project-events'
import { useProject, useProjectId } from '../lib/project/project'
import { useTask } from '../lib/project/task'
import { chooseWorkspace, useWorkspace } from '../lib/session/session'
import { ErrorState } from '../ui/error-state'
import { LoadingState } from '../ui/loading-state'
import { isFor, navOf } from './features'
import { RouteError } from './route-error'

/** Loads the project once for all its pages, listens to what happens in it, and speaks of pictures or of texts. */
export function ProjectLayout() {
  const id = useProjectId()
  const project = useProject()
  const task = useTask()
  const home = project.data?.workspace
  const workspace = useWorkspace()
  const voice = voiceOf(task.data?.modality)
  const page = useLocation().pathname.split('/')[3] ?? ''
  useProjectEvents(id)
  useEffect(() => speakWith(voice), [voice])
  // A link may lead to a project of another of one's workspaces, where one has another role. Only the arrival decides: whoever
  // switches the workspace afterwards is on the way out.
  useEffect(() => {
    if (home) chooseWorkspace(home)
  }, [home])
  if (project.isPending || task.isPending) return <LoadingState />
  // A refresh that fails takes nothing away: whoever works on the page goes on.
  if (!project.data) return <ErrorState error={project.error} onRetry={() => void project.refetch()} />
  if (workspace?.id !== home) return <LoadingState />
  // An old or a typed address: no link leads to a page that projects of such items do not have.
  if (!navOf('project').every((entry) => entry.path !== page || isFor(entry, task.data?.modality))) return <RouteError />
  return (
    <I18nextProvider i18n={voice}>
      <Outlet key={id} />
    </I18nextProvider>
  )
}

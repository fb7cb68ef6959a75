import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'

import { useItemWords } from '../i18n/use-item-words'
import { itemKind } from '../items'
import { hasPage, isKnown } from '../items/pages'
import { isNotFound } from '../lib/api/errors'
import { useProjectEvents } from '../lib/events/use-project-events'
import { useProject, useProjectId } from '../lib/project/project'
import { useTask } from '../lib/project/task'
import { chooseWorkspace, useWorkspace } from '../lib/session/session'
import { SketchOfItems } from '../ui/drawing/sketch'
import { ErrorState } from '../ui/error-state'
import { LoadingPage } from '../ui/loading-page'
import { RouteError } from './route-error'

/** Loads the project once for all its pages, listens to what happens in it, and speaks of its items by their name. */
export function ProjectLayout() {
  const { t } = useTranslation('common')
  const id = useProjectId()
  const project = useProject()
  const task = useTask()
  const home = project.data?.workspace
  const workspace = useWorkspace()
  const kind = task.data?.modality
  const hasWords = useItemWords(kind && isKnown(kind) ? kind : undefined)
  const page = useLocation().pathname.split('/')[3] ?? ''
  useProjectEvents(id)
  // A link may lead to a project of another of one's workspaces, where one has another role. Only the arrival decides: whoever
  // switches the workspace afterwards is on the way out.
  useEffect(() => {
    if (home) chooseWorkspace(home)
  }, [home])
  if (project.isPending || task.isPending) return <LoadingPage />
  // A refresh that fails takes nothing away: whoever works on the page goes on.
  if (!project.data && isNotFound(project.error)) return <RouteError hasProject={false} />
  if (!project.data) return <ErrorState error={project.error} onRetry={() => void project.refetch()} />
  if (workspace?.id !== home) return <LoadingPage />
  if (!task.data)
    return <ErrorState error={task.error ?? new Error(t('error.task', { task: project.data.task }))} onRetry={() => void task.refetch()} />
  if (kind && !isKnown(kind)) return <ErrorState error={new Error(t('error.kind', { kind }))} />
  // An old or a typed address: no link leads to a page that projects of such items do not have.
  if (!hasPage(kind, page)) return <RouteError />
  if (!hasWords || !kind) return <LoadingPage />
  return (
    <SketchOfItems value={itemKind(kind).sketch}>
      <Outlet key={id} />
    </SketchOfItems>
  )
}

import { useTask } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import type { Work } from '../api/use-labelling-session'
import { toolNamed } from '../tools'

/** The labelling tool that the project's task asks for. */
export function EditorView(work: Work) {
  const task = useTask()
  if (task.isLoadingError) return <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  if (!task.data) return <LoadingState />
  const { Tool } = toolNamed(task.data.ui.labelling_tool)
  return <Tool {...work} />
}

import { usePredictsNumber, useTask } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import type { Work } from '../api/use-editor'
import { BoxView } from './box-view'
import { ClassView } from './class-view'
import { ValueView } from './value-view'

/** The labelling tool that the project's task asks for. */
export function EditorView(work: Work) {
  const task = useTask()
  const isNumber = usePredictsNumber()
  if (task.isLoadingError) return <ErrorState error={task.error} onRetry={() => void task.refetch()} />
  if (!task.data) return <LoadingState />
  if (task.data.ui.labelling_tool === 'boxes') return <BoxView {...work} />
  return isNumber ? <ValueView {...work} /> : <ClassView {...work} />
}

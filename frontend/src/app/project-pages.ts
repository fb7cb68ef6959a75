import { hasAnswerPage } from '../answers/pages'
import { hasPage } from '../items/pages'
import { useTask } from '../lib/project/task'

/** Only what there is in a project of such items and answers; what is not known yet is left out. */
export function useProjectPages<T extends { path: string }>(entries: readonly T[]): T[] {
  const task = useTask().data
  return entries.filter(({ path }) => {
    const [page = ''] = path.split(/[/?]/)
    return hasPage(task?.modality, page) && hasAnswerPage(task?.outputs, page)
  })
}

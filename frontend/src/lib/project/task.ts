/** The task of the project: its metrics, families and options, as the server tells them. */
import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { Task } from '../api/types'
import { useLocalText } from '../local-text'
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

/** What the project's items are; pictures until the task is known. */
export function useModality(): Task['modality'] {
  return useTask().data?.modality ?? 'image'
}

/** Whether a label belongs to a whole picture, so that many pictures can be given one at once. */
export function useLabelsWholes(): boolean {
  return useTask().data?.annotation.kinds.includes('class') ?? true
}

/** Names a family and one of its sizes as people know them; ids stand in for what is not installed any more. */
export function useModelName(): (family: string, size: string) => string {
  const text = useLocalText()
  const families = useTask().data?.families ?? []
  return (name, sizeName) => {
    const family = families.find((each) => each.name === name)
    const size = family?.sizes.find((each) => each.name === sizeName)
    return `${family ? text(family.title) : name} · ${size ? text(size.title) : sizeName}`
  }
}

/** Names a parameter as its family does; for the keys of importance too, which carry the family in front. */
export function useParamName(): (key: string, family?: string) => string {
  const text = useLocalText()
  const families = useTask().data?.families ?? []
  return (key, familyName) => {
    const [owner, name] = key.includes('.') ? key.split('.', 2) : [familyName, key]
    const candidates = owner === undefined ? families : families.filter((family) => family.name === owner)
    const param = candidates.flatMap((family) => family.params).find((each) => each.name === name)
    const title = param ? text(param.title) : (name ?? key)
    const prefix = key.includes('.') ? candidates[0] : undefined
    return prefix ? `${text(prefix.title)}: ${title}` : title
  }
}

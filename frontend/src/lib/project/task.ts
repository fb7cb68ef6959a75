/** The task of the project: its metrics, families and options, from the server. */
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

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

/** What is measured as the project's options stand; the first is the objective. */
export function useMetrics(): Task['metrics'] {
  const task = useTask().data
  const chosen = useProject().data?.task_options ?? {}
  return task ? metricsOf(task, chosen) : []
}

/** Options that a project does not name have their defaults. */
export function metricsOf(task: Pick<Task, 'metrics' | 'options'>, chosen: Readonly<Record<string, string>>): Task['metrics'] {
  const options: Record<string, string> = {
    ...Object.fromEntries(task.options.map(({ name, default: value }) => [name, value])),
    ...chosen,
  }
  return task.metrics.filter((metric) => Object.entries(metric.only_for ?? {}).every(([name, value]) => options[name] === value))
}

/** Names a family and one of its sizes as people know them; ids stand in for what is not installed any more. */
export function useModelName(): (family: string, size: string, numMembers?: number) => string {
  const { t } = useTranslation('common')
  const text = useLocalText()
  const families = useTask().data?.families ?? []
  return (name, sizeName, numMembers = 1) => {
    if (numMembers > 1) return t('mean_of', { count: numMembers })
    const family = families.find((each) => each.name === name)
    if (family?.sizes.length === 1) return text(family.title) // its only size tells nothing apart
    const size = family?.sizes.find((each) => each.name === sizeName)
    if (family && size?.max_rows) return text(family.title) // how many rows it would take at most says little of what it is
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

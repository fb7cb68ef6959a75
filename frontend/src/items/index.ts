/** The kinds of items, found by listing the folders beside this file. Nobody else asks for one by name. */
import { useTask } from '../lib/project/task'
import type { ItemKind, KindName } from './kind'

const files = import.meta.glob<{ default: ItemKind }>('./*/kind.tsx', { eager: true })

const KINDS = new Map(Object.values(files).map(({ default: kind }) => [kind.name, kind]))

export function itemKind(name: KindName): ItemKind {
  const kind = KINDS.get(name)
  if (!kind) throw new Error(`no kind of items ${name}; known: ${[...KINDS.keys()].join(', ')}`)
  return kind
}

/** What the project's items are. Its pages are shown once the task is known. */
export function useItemKind(): ItemKind {
  const { data: task } = useTask()
  if (!task) throw new Error('the task of the project is not known here')
  return itemKind(task.modality)
}

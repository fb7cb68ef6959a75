import { useProject } from '../project/project'

/** Puts current annotations into the order in which they lie above one another: where the project says so, by that of their labels. */
export function useStacked(): <T extends object>(annotations: readonly T[]) => readonly T[] {
  const project = useProject().data
  if (project?.overlap !== 'order') return (annotations) => annotations
  const height = new Map<unknown, number>(project.label_set.labels.map(({ name }, index) => [name, -index]))
  // What is of no label does not count, and lies above all that does.
  const heightOf = (one: object) => height.get('label' in one ? one.label : null) ?? 1
  return (annotations) => annotations.toSorted((one, other) => heightOf(one) - heightOf(other))
}

/** The tree that labels stand in. The list keeps its own order, which is that of a model's outputs. */
import type { Label } from '../../../lib/api/types'

/** The names above a label, from the root down. */
export function pathOf(labels: readonly Label[], name: string): string[] {
  const parents = new Map(labels.map((label) => [label.name, label.parent ?? null]))
  const path: string[] = []
  for (let above = parents.get(name) ?? null; above !== null && !path.includes(above); above = parents.get(above) ?? null)
    path.unshift(above)
  return path
}

/** Labels that one may be hung below: all but itself and what stands below it. */
export function possibleParents(labels: readonly Label[], name: string): string[] {
  return labels.map((label) => label.name).filter((one) => one !== name && !pathOf(labels, one).includes(name))
}

/** The list without a label; what stood below it moves up to its parent. */
export function withoutLabel(labels: readonly Label[], name: string): Label[] {
  const parent = labels.find((label) => label.name === name)?.parent
  return labels.filter((label) => label.name !== name).map((label) => (label.parent === name ? { ...label, parent } : label))
}

/** The list with a label so many places further down, or up where negative. */
export function moved(labels: readonly Label[], name: string, step: number): Label[] {
  const index = labels.findIndex((label) => label.name === name)
  const rest = labels.filter((_, at) => at !== index)
  return rest.toSpliced(Math.max(0, index + step), 0, ...labels.slice(index, index + 1))
}

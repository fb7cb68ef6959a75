/** Sizes of families as the form lists them: which a search tries by itself, and which begin with random numbers. */
import type { Family } from '../api/types'

export type FamilySize = Family['sizes'][number]

/** Whether a search tries the family by itself; else a person has to choose it. */
export function isUsual(family: Family): boolean {
  return family.sizes.some((size) => size.is_searched !== false)
}

/** Names of the sizes that a search tries by itself; of a family without any, its default. */
export function usualSizes(family: Family): string[] {
  const usual = family.sizes.filter((size) => size.is_searched !== false)
  return (usual.length ? usual : family.sizes.slice(0, 1)).map(({ name }) => name)
}

/** Whether all that the network knows it learns from the project's data. */
export function isUntaught(family: Family, size: FamilySize): boolean {
  return family.can_continue === true && size.num_parameters > 0 && !size.asset
}

/** The smallest first. */
export function bySize(sizes: readonly FamilySize[]): FamilySize[] {
  return [...sizes].sort((one, other) => one.num_parameters - other.num_parameters)
}

/** What the profile says of columns that are learned from. Pure. */
import type { Column } from './columns'
import type { Profile } from './profile'

type Found = NonNullable<Profile['profile']>

const ignoredOf = (columns: readonly Column[]) => new Set(columns.filter(({ role }) => role === 'ignored').map(({ name }) => name))

/** Warnings, without those about columns that are ignored: these spoil nothing. */
export function warningsInUse<Warning extends Found['warnings'][number]>(
  warnings: readonly Warning[],
  columns: readonly Column[],
): Warning[] {
  const ignored = ignoredOf(columns)
  return warnings.filter(({ column }) => !column || !ignored.has(column))
}

/** Pairs of columns that go together, without those that are ignored by now. */
export function pairsInUse<Pair extends Found['correlations'][number]>(pairs: readonly Pair[], columns: readonly Column[]): Pair[] {
  const ignored = ignoredOf(columns)
  return pairs.filter(({ first, second }) => !ignored.has(first) && !ignored.has(second))
}

/** What the page shows of a profile. */
import type { Column } from '../../../lib/table/columns'
import { warningsInUse } from '../../../lib/table/in-use'
import type { ColumnProfile, ColumnWarning } from '../api/types'

export interface ColumnLine {
  column: Column
  /** Null while nobody has looked. */
  profile: ColumnProfile | null
  warnings: ColumnWarning[]
}

export type Order = 'file' | 'association' | 'missing'

/** One line per column, in the given order; unknown last. */
export function columnLines(
  columns: readonly Column[],
  profiles: readonly ColumnProfile[],
  warnings: readonly ColumnWarning[],
  order: Order,
  search: string,
): ColumnLine[] {
  const known = new Map(profiles.map((profile) => [profile.name, profile]))
  const query = search.trim().toLowerCase()
  const lines = columns
    .filter(({ name }) => name.toLowerCase().includes(query))
    .map((column) => ({
      column,
      profile: known.get(column.name) ?? null,
      warnings: warnings.filter((warning) => warning.column === column.name),
    }))
  if (order === 'file') return lines
  const rank = ({ profile }: ColumnLine) =>
    order === 'association' ? (profile?.target_association ?? -1) : profile ? missingShare(profile) : -1
  return lines.sort((one, other) => rank(other) - rank(one))
}

/** The settings of a column whose kind changes: a number is read with the unit that its cells seem to have. */
export function kindSentence(
  kind: Column['kind'],
  { units }: Pick<Column, 'units'>,
  profile: Pick<ColumnProfile, 'guessed_units'> | null,
): Partial<Column> {
  return kind === 'number' && !units?.length && profile?.guessed_units?.length ? { kind, units: profile.guessed_units } : { kind }
}

/** Cells that are missing or cannot be read, of all, 0..1. */
export function missingShare({
  num_missing,
  num_invalid,
  num_rows,
}: Pick<ColumnProfile, 'num_missing' | 'num_invalid' | 'num_rows'>): number {
  return num_rows > 0 ? (num_missing + num_invalid) / num_rows : 0
}

/** What one click mends: the role that is suggested, where the column does not have it yet. */
export function remedyOf(
  { column, suggested_role }: ColumnWarning,
  columns: readonly Column[],
): { column: string; role: Column['role'] } | null {
  if (!column || !suggested_role || suggested_role === 'target') return null
  const now = columns.find(({ name }) => name === column)?.role
  return now === undefined || now === 'target' || now === suggested_role ? null : { column, role: suggested_role }
}

/** Of many values, before they are asked for. */
const VALUES_SHOWN = 5

/** The values that a warning names, and how many it leaves out. */
export function shownValues({ values, num_values }: ColumnWarning, isWhole: boolean) {
  const shown = isWhole || values.length <= VALUES_SHOWN ? values : values.slice(0, VALUES_SHOWN)
  return { shown, numMore: (num_values ?? values.length) - shown.length }
}

const URGENCY = [
  'leaks_target',
  'identifier',
  'constant',
  'duplicate_column',
  'mostly_missing',
  'sentinel',
  'ambiguous',
  'mixed',
  'mixed_units',
]

/** Those first that spoil a model; what was dealt with goes. */
export function openWarnings(warnings: readonly ColumnWarning[], columns: readonly Column[]): ColumnWarning[] {
  const rank = (code: string) => (URGENCY.includes(code) ? URGENCY.indexOf(code) : URGENCY.length)
  return warningsInUse(warnings, columns).sort((one, other) => rank(one.code) - rank(other.code))
}

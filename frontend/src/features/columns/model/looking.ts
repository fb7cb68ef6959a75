/** When the columns are looked at without anybody asking. Pure. */
import type { Columns } from '../../../lib/table/columns'
import { isLabelling } from '../../../lib/table/columns'
import { isProfiling } from '../../../lib/table/profile'
import type { Profile } from '../api/types'

export type Looking = 'now' | 'later' | 'no'

/**
 * Nobody should have to ask for the first look: it is what the page is for. After another target was chosen, what is shown of the
 * columns and it is of the target before: then it is looked at again, once the rows are labelled.
 *
 * @param isTargetChanged whether a target was chosen since the page was opened
 */
export function lookingOf(table: Pick<Columns, 'target' | 'job'>, profile: Profile | undefined, isTargetChanged: boolean): Looking {
  if (!profile || isProfiling(profile)) return 'no'
  const found = profile.profile
  if (found === null) return profile.job === null ? 'now' : 'no'
  const isOfNoTarget = table.target !== null && found.columns.every(({ target_association }) => target_association == null)
  if (!profile.is_stale || !(isTargetChanged || isOfNoTarget)) return 'no'
  return isLabelling(table) ? 'later' : 'now'
}

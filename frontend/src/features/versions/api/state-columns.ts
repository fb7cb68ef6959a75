import { type Column, useColumns } from '../../../lib/table/columns'
import { WORKING } from './diff'
import { useVersion } from './get-versions'

/** What the columns meant in a version, or mean now; undefined until it is known. */
export function useStateColumns(state: string): readonly Column[] | undefined {
  const working = useColumns().data?.columns
  const version = useVersion(state, state !== WORKING).data
  return state === WORKING ? working : version && (version.columns ?? [])
}

import type { Profile } from '../../../lib/table/profile'

export type { Profile }
export type TableProfile = NonNullable<Profile['profile']>
export type ColumnProfile = TableProfile['columns'][number]
export type ColumnWarning = TableProfile['warnings'][number]
export type Correlation = TableProfile['correlations'][number]

import type { Answer } from '../../../lib/api/answer'

export type Profile = Answer<'ProfileOut'>
export type TableProfile = NonNullable<Profile['profile']>
export type ColumnProfile = TableProfile['columns'][number]
export type ColumnWarning = TableProfile['warnings'][number]
export type Correlation = TableProfile['correlations'][number]

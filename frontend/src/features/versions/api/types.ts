import type { Answer } from '../../../lib/api/answer'
import type { components } from '../../../lib/api/schema'

export type VersionFormat = Answer<'VersionFormatOut'>
export type Version = components['schemas']['VersionOut']
export type Diff = Answer<'DiffOut'>
export type DiffItem = Answer<'DiffItemOut'>
export type DiffKind = DiffItem['kind']
export type SplitRule = Answer<'SplitRule'>
export type SplitFields = Answer<'SplitFieldsOut'>

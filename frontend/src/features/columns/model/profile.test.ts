import { describe, expect, it } from 'vitest'

import type { Column } from '../../../lib/table/columns'
import { pairsInUse } from '../../../lib/table/in-use'
import type { ColumnProfile, ColumnWarning } from '../api/types'
import { columnLines, missingShare, openWarnings, remedyOf, kindSentence, shownValues } from './profile'

const column = (name: string, role: Column['role'] = 'feature'): Column => ({
  name,
  kind: 'number',
  role,
  decimal: '.',
  units: [],
  datetime_format: '',
})
const profile = (name: string, num_missing: number, target_association: number | null) =>
  ({ name, num_rows: 10, num_missing, num_invalid: 1, target_association }) as ColumnProfile
const warning = (code: ColumnWarning['code'], about: string | null, suggested_role: ColumnWarning['suggested_role'] = null) =>
  ({ code, column: about, suggested_role }) as ColumnWarning

const columns = [column('age'), column('id'), column('city', 'ignored'), column('bought', 'target')]
const profiles = [profile('age', 1, 0.2), profile('id', 4, 0.9)]

describe('columnLines', () => {
  it('stands in the order of the file, of association or of what is missing, unknown last', () => {
    const names = (order: Parameters<typeof columnLines>[3], search = '') =>
      columnLines(columns, profiles, [], order, search).map((line) => line.column.name)
    expect(names('file')).toEqual(['age', 'id', 'city', 'bought'])
    expect(names('association')).toEqual(['id', 'age', 'city', 'bought'])
    expect(names('missing')).toEqual(['id', 'age', 'city', 'bought'])
    expect(names('file', ' I')).toEqual(['id', 'city'])
  })

  it('carries what is warned of about each column', () => {
    const lines = columnLines(columns, profiles, [warning('constant', 'age'), warning('duplicate_rows', null)], 'file', '')
    expect(lines.map(({ warnings }) => warnings.length)).toEqual([1, 0, 0, 0])
  })
})

it('counts what cannot be read as missing', () => {
  expect(missingShare(profile('a', 4, null))).toBe(0.5)
  expect(missingShare({ num_missing: 0, num_invalid: 0, num_rows: 0 })).toBe(0)
})

it('takes the unit that cells seem to have for a column that becomes numbers, unless it has one', () => {
  const looksLikeKg = { guessed_units: ['kg', 'kgs'] }
  expect(kindSentence('number', { units: [] }, looksLikeKg)).toEqual({ kind: 'number', units: ['kg', 'kgs'] })
  expect(kindSentence('number', { units: ['lb'] }, looksLikeKg)).toEqual({ kind: 'number' })
  expect(kindSentence('category', { units: [] }, looksLikeKg)).toEqual({ kind: 'category' })
  expect(kindSentence('number', { units: [] }, null)).toEqual({ kind: 'number' })
})

describe('remedyOf', () => {
  it('is the role that is suggested and not there yet', () => {
    expect(remedyOf(warning('identifier', 'id', 'ignored'), columns)).toEqual({ column: 'id', role: 'ignored' })
    expect(remedyOf(warning('identifier', 'city', 'ignored'), columns)).toBeNull()
    expect(remedyOf(warning('rare_class', 'bought', 'ignored'), columns)).toBeNull()
    expect(remedyOf(warning('outliers', 'age'), columns)).toBeNull()
  })
})

it('lists leaks first and nothing of columns that are not learned from', () => {
  const listed = openWarnings(
    [warning('outliers', 'age'), warning('identifier', 'city'), warning('constant', 'age'), warning('leaks_target', 'id')],
    columns,
  )
  expect(listed.map(({ code }) => code)).toEqual(['leaks_target', 'constant', 'outliers'])
})

it('names a few of many values until all are asked for, and counts those left out', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((value) => ({ value, count: 2 }))
  const many = { ...warning('rare_class', 'bought'), values, num_values: 9 }
  const counts = (isWhole: boolean) => [shownValues(many, isWhole).shown.length, shownValues(many, isWhole).numMore]
  expect([counts(false), counts(true)]).toEqual([
    [5, 4],
    [7, 2],
  ])
  expect(shownValues({ ...many, values: values.slice(0, 5), num_values: 5 }, false).numMore).toBe(0)
})

it('leaves out pairs with a column that is ignored by now', () => {
  const pair = (first: string, second: string) => ({ first, second, strength: 0.9 }) as Parameters<typeof pairsInUse>[0][number]
  const columns = [column('a'), column('b', 'ignored'), column('c', 'target')]
  expect(pairsInUse([pair('a', 'b'), pair('a', 'c'), pair('b', 'c')], columns)).toEqual([pair('a', 'c')])
})

import { expect, it } from 'vitest'

import type { Column } from '../../../lib/table/columns'
import { targetChoices, withColumn, withTarget } from './changes'

const column = (name: string, kind: Column['kind'], role: Column['role'] = 'feature'): Column => ({
  name,
  kind,
  role,
  decimal: '.',
  units: [],
  datetime_format: '',
})
const columns = [column('age', 'number'), column('bought', 'category', 'target'), column('id', 'number', 'ignored'), column('note', 'text')]

it('changes one column and leaves the others', () => {
  const after = withColumn('age', { role: 'ignored' })(columns)
  expect(after.map(({ role }) => role)).toEqual(['ignored', 'target', 'ignored', 'feature'])
  expect(columns[0]?.role).toBe('feature')
})

it('has one target: the one before is learned from again', () => {
  expect(withTarget('age')(columns).map(({ role }) => role)).toEqual(['target', 'feature', 'ignored', 'feature'])
  expect(withTarget('bought')(columns)).toEqual(columns)
})

it('offers as a target what can be predicted', () => {
  expect(targetChoices(columns, ['number']).map(({ name }) => name)).toEqual(['age', 'id'])
  expect(targetChoices(columns, ['number', 'category']).map(({ name }) => name)).toEqual(['age', 'bought', 'id'])
})

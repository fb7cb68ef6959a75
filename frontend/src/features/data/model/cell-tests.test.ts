import { expect, it } from 'vitest'

import { cellTestOf, columnFilterOf, NO_COLUMN_FILTER, withColumnFilter, writtenTest } from './cell-tests'

it('reads a condition as it was written, whatever the column is called', () => {
  for (const column of ['age', 'a>=b', '100% ~ done!', '性别'])
    for (const value of ['', '3', 'x=y>=z'])
      expect(cellTestOf(writtenTest({ column, op: '>=', value }))).toEqual({ column, op: '>=', value })
  expect(writtenTest({ column: 'a=b', op: '=', value: 'c' })).toBe('a%3Db=c')
  for (const odd of ['age', '=3', 'a%zz=3']) expect(cellTestOf(odd)).toBeNull()
})

it('keeps what is asked of each column apart', () => {
  const age = { ...NO_COLUMN_FILTER, from: '30', to: '60', missing: 'none' as const }
  const city = { ...NO_COLUMN_FILTER, values: ['Ulm', 'Bonn'] }
  const both = withColumnFilter(withColumnFilter([], 'age', age), 'city', city)
  expect(both).toEqual(['age>=30', 'age<=60', 'age!=', 'city=Ulm', 'city=Bonn'])
  expect(columnFilterOf(both, 'age')).toEqual(age)
  expect(columnFilterOf(both, 'city')).toEqual(city)
  expect(columnFilterOf(both, 'name')).toEqual(NO_COLUMN_FILTER)
  expect(withColumnFilter(both, 'age', NO_COLUMN_FILTER)).toEqual(['city=Ulm', 'city=Bonn'])
  expect(withColumnFilter([], 'age', { ...age, missing: 'only' })).toEqual(['age='])
})

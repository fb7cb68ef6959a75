// @vitest-environment jsdom
import { expect, it } from 'vitest'

import type { Column } from '../../../lib/table/columns'
import { cellChange, changedColumns, columnsOfBoth, annotationsText } from './row-changes'

const column = (name: string, role: Column['role'] = 'feature'): Column => ({
  name,
  kind: 'number',
  role,
  decimal: '.',
  units: [],
  datetime_format: '',
})
const row = (before: Record<string, string> | null, after: Record<string, string> | null) => ({
  row_before: before && { cells: before },
  row_after: after && { cells: after },
})

it('distinguishes a cell that changed, was emptied or filled, from one that did not', () => {
  const changed = row({ age: '41', city: 'Ulm' }, { age: '42', left: 'no' })
  expect(cellChange(changed, 'age')).toEqual({ before: '41', after: '42', isChanged: true })
  expect(cellChange(changed, 'city')).toEqual({ before: 'Ulm', after: '', isChanged: true })
  expect(cellChange(changed, 'left')).toEqual({ before: '', after: 'no', isChanged: true })
  expect(cellChange(changed, 'other').isChanged).toBe(false)
})

it('marks no cell of a row that came or went', () => {
  expect(cellChange(row(null, { age: '42' }), 'age')).toEqual({ before: '42', after: '42', isChanged: false })
  expect(cellChange(row({ age: '42' }, null), 'age')).toEqual({ before: '42', after: '42', isChanged: false })
})

it('has the columns of both states, the later order first and no target', () => {
  const before = [column('old'), column('age'), column('left', 'target')]
  const after = [column('age'), column('city', 'target'), column('left')]
  expect(columnsOfBoth(before, after).map(({ name }) => name)).toEqual(['age', 'left', 'old'])
  expect(changedColumns(after, [row({ age: '1' }, { age: '2' }), row(null, { city: 'Ulm' })]).map(({ name }) => name)).toEqual(['age'])
})

it('names the annotation, whatever its kind', () => {
  expect([
    annotationsText([{ kind: 'class', label: 'yes' }]),
    annotationsText([{ kind: 'value', value: 3 }]),
    annotationsText(null),
  ]).toEqual(['yes', '3', ''])
})

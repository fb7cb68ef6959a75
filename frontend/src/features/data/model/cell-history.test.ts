import { expect, it } from 'vitest'

import { changesOf, type RowRevision } from './cell-history'

const revisionOf = (cells: Record<string, string>, name: string, day: number): RowRevision =>
  ({ row: { cells }, blob: '', changed_by: { name }, changed_at: `2026-01-0${day}T00:00:00Z` }) as unknown as RowRevision

const revisions = [
  revisionOf({ age: '42', city: 'Ulm' }, 'Bea', 3),
  revisionOf({ age: '42' }, 'Cal', 2),
  revisionOf({ age: '41' }, 'Ada', 1),
]

it('reports who changed what, from what, into what', () => {
  const changes = changesOf(revisions, { age: '43', note: 'new' })
  expect(changes.map(({ by, at, changes }) => [by.name, at.slice(0, 10), changes])).toEqual([
    [
      'Bea',
      '2026-01-03',
      [
        { column: 'age', from: '42', to: '43' },
        { column: 'city', from: 'Ulm', to: '' },
        { column: 'note', from: '', to: 'new' },
      ],
    ],
    ['Cal', '2026-01-02', [{ column: 'city', from: '', to: 'Ulm' }]],
    ['Ada', '2026-01-01', [{ column: 'age', from: '41', to: '42' }]],
  ])
})

it('reports one cell alone, and nothing of a change that changed no cell', () => {
  expect(changesOf(revisions, { age: '42', city: 'Ulm' }, 'age').map(({ by }) => by.name)).toEqual(['Ada'])
  expect(changesOf(revisions, { age: '43', city: 'Ulm' }, 'income')).toEqual([])
  expect(changesOf([], { age: '1' })).toEqual([])
})

import { expect, it } from 'vitest'

import { classRows, hasTooFew } from './class-rows'

it('does not call a label bad that no item carries', () => {
  const rows = classRows([
    { label: 'cat', precision: 0.5, recall: 0, f1: 0, support: 5 },
    { label: 'owl', precision: 0, recall: 0, f1: 0, support: 0 },
  ])
  expect(rows.map((row) => row.values)).toEqual([
    { precision: 0.5, support: 5, recall: 0, f1: 0 },
    { precision: 0, support: 0, recall: null, f1: null },
  ])
})

it('shows no figures of a label with a handful of items, and how many there are', () => {
  const two = { label: 'owl', precision: 1, recall: 1, f1: 1, support: 2 }
  expect(classRows([{ ...two, average_precision: 1 }])[0]?.values).toEqual({
    precision: null,
    support: 2,
    average_precision: null,
    recall: null,
    f1: null,
  })
  expect([0, 1, 4, 5].map((support) => hasTooFew({ support }))).toEqual([false, true, true, false])
})

it('keeps the figures of pixels, which are many in few pictures', () => {
  const road = { label: 'road', precision: 0.9, recall: 0.8, f1: 0.85, support: 2, intersection_over_union: 0.74 }
  expect(classRows([road])[0]?.values).toMatchObject({ f1: 0.85, intersection_over_union: 0.74 })
})

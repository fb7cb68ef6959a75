import { expect, it } from 'vitest'

import { classRows } from './class-rows'

it('does not call a label bad that no item carries', () => {
  const rows = classRows([
    { label: 'cat', precision: 0.5, recall: 0, f1: 0, support: 3 },
    { label: 'owl', precision: 0, recall: 0, f1: 0, support: 0 },
  ])
  expect(rows.map((row) => row.values)).toEqual([
    { precision: 0.5, support: 3, recall: 0, f1: 0 },
    { precision: 0, support: 0, recall: null, f1: null },
  ])
})

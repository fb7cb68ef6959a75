import { describe, expect, it } from 'vitest'

import { labelsOf, ofLabels, valueOf } from '../../../answers/annotations'
import { isSame, picked, annotationsOf } from './annotations-of'

describe('annotations of an item', () => {
  it('distinguishes unlabelled from empty', () => {
    expect(annotationsOf({ state: 'unlabelled', annotations: [] })).toBeNull()
    expect(annotationsOf({ state: 'annotated', annotations: [] })).toEqual([])
    expect(isSame(null, [])).toBe(false)
  })

  it('one label replaces the other', () => {
    expect(labelsOf(picked(ofLabels(['cat']), 'dog', false))).toEqual(['dog'])
  })

  it('several labels are switched on and off, down to none of them', () => {
    const both = picked(picked(null, 'cat', true), 'dog', true)
    expect(labelsOf(both)).toEqual(['cat', 'dog'])
    expect(picked(picked(both, 'cat', true), 'dog', true)).toEqual([])
  })

  it('does not mind the order of labels', () => {
    expect(isSame(ofLabels(['cat', 'dog']), ofLabels(['dog', 'cat']))).toBe(true)
    expect(isSame(ofLabels(['cat']), ofLabels(['dog']))).toBe(false)
  })

  it('distinguishes boxes by all their fields', () => {
    const box = { kind: 'box', id: 'b', label: 'cat', x: 1, y: 2, width: 3, height: 4 } as const
    expect(isSame([box], [{ ...box, score: null }])).toBe(true)
    for (const other of [[{ ...box, x: 2 }], [{ ...box, label: 'dog' }], [box, box], []]) expect(isSame([box], other)).toBe(false)
  })
})

it('reads the number annotated on a row', () => {
  expect(valueOf([{ kind: 'value', value: -2.5 }])).toBe(-2.5)
  expect([valueOf(null), valueOf([]), valueOf([{ kind: 'class', label: 'yes' }])]).toEqual([null, null, null])
})

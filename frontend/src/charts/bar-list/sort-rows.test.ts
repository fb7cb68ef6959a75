import { describe, expect, it } from 'vitest'

import { barSpan, fullBar, sortRows, type BarRow } from './sort-rows'

const rows: BarRow[] = [
  { key: 'a', title: 'class 10', values: { f1: 0.5 } },
  { key: 'b', title: 'class 9', values: { f1: null } },
  { key: 'c', title: 'class 1', values: { f1: 0.9 } },
  { key: 'd', title: 'class 2', values: { f1: 0.5 } },
]

const keys = (column: string, isDescending: boolean) => sortRows(rows, { column, isDescending }).map((row) => row.key)

describe('sortRows', () => {
  it('sorts by value, equal values by title', () => {
    expect(keys('f1', false)).toEqual(['d', 'a', 'c', 'b'])
  })

  it('keeps unknown values last when the order turns', () => {
    expect(keys('f1', true)).toEqual(['c', 'd', 'a', 'b'])
  })

  it('sorts titles as people count', () => {
    expect(keys('title', false)).toEqual(['c', 'd', 'b', 'a'])
  })
})

describe('fullBar', () => {
  it('is the largest value but never below the floor', () => {
    expect(fullBar(rows, 'f1', 1)).toBe(1)
    expect(fullBar(rows, 'f1', 0)).toBe(0.9)
  })
})

describe('barSpan', () => {
  it('starts at the left and ends at the full length', () => {
    expect(barSpan(0.5, 2, false)).toEqual({ start_fraction: 0, width_fraction: 0.25 })
    expect(barSpan(9, 2, false).width_fraction).toBe(1)
    expect(barSpan(null, 2, false).width_fraction).toBe(0)
  })

  it('goes both ways from the middle where losses count', () => {
    expect(barSpan(1, 2, true)).toEqual({ start_fraction: 0.5, width_fraction: 0.25 })
    expect(barSpan(-1, 2, true)).toEqual({ start_fraction: 0.25, width_fraction: 0.25 })
  })
})

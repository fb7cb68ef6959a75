import { expect, it } from 'vitest'

import { nextSort, sorted, sortOf, sortText } from './sort'

it('sorts numbers and words, with unknown values last in both directions', () => {
  const rows = [{ value: 2 }, { value: null }, { value: 10 }]
  const values = (isDescending: boolean) => sorted(rows, ({ value }) => value, isDescending).map(({ value }) => value)
  expect(values(false)).toEqual([2, 10, null])
  expect(values(true)).toEqual([10, 2, null])
  expect(sorted(['part 10', 'part 2'], (word) => word, false)).toEqual(['part 2', 'part 10'])
})

it('keeps the order of what is equal', () => {
  const rows = [
    { id: 'a', value: 1 },
    { id: 'b', value: 1 },
  ]
  expect(sorted(rows, ({ value }) => value, true).map(({ id }) => id)).toEqual(['a', 'b'])
})

it('sorts within groups, the largest first in both directions', () => {
  const rows = [
    [1, 0.9],
    [2, 0.5],
    [1, 0.7],
    [2, 0.6],
  ] as const
  const values = (isDescending: boolean) =>
    sorted(
      rows,
      ([, value]) => value,
      isDescending,
      ([group]) => group,
    ).map(([, value]) => value)
  expect(values(true)).toEqual([0.6, 0.5, 0.9, 0.7])
  expect(values(false)).toEqual([0.5, 0.6, 0.7, 0.9])
})

it('begins with the end that people look for first, then turns', () => {
  const first = nextSort(null, 'metric', true)
  expect(first).toEqual({ column: 'metric', isDescending: true })
  expect(nextSort(first, 'metric', true).isDescending).toBe(false)
  expect(nextSort(first, 'size')).toEqual({ column: 'size', isDescending: false })
})

it('stands in an address', () => {
  for (const sort of [nextSort(null, 'metric'), nextSort(null, 'metric', true)]) expect(sortOf(sortText(sort))).toEqual(sort)
  expect(sortOf(null)).toBeNull()
})

import { expect, it } from 'vitest'

import { columnsSeen, offsetsOf, scrollFor, widthOf } from './grid-columns'

it('gives words more space than numbers, and long names more than short ones', () => {
  expect(widthOf({ name: 'a', kind: 'text' })).toBeGreaterThan(widthOf({ name: 'a', kind: 'number' }))
  expect(widthOf({ name: 'mean concave points', kind: 'number' })).toBeGreaterThan(widthOf({ name: 'a', kind: 'number' }))
  expect(widthOf({ name: 'x'.repeat(200), kind: 'number' })).toBe(320)
})

it('finds the columns in sight and one more on both sides', () => {
  const offsets = offsetsOf([100, 100, 100, 100, 100, 100])
  expect(offsets).toEqual([0, 100, 200, 300, 400, 500, 600])
  expect(columnsSeen(offsets, 0, 150)).toEqual([0, 2])
  expect(columnsSeen(offsets, 250, 100)).toEqual([1, 4])
  expect(columnsSeen(offsets, 900, 100)).toEqual([4, 5])
  expect(columnsSeen([0], 0, 100)).toEqual([0, -1])
})

it('scrolls no further than it takes to see a column', () => {
  const offsets = offsetsOf([100, 100, 100, 400])
  expect(scrollFor(offsets, 1, 0, 250)).toBe(0)
  expect(scrollFor(offsets, 2, 0, 250)).toBe(50)
  expect(scrollFor(offsets, 0, 50, 250)).toBe(0)
  expect(scrollFor(offsets, 3, 0, 250)).toBe(300)
})

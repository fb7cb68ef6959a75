import { expect, it } from 'vitest'

import { heightOf, lastKnown, namedPlaces, stacked, stretches, type Series } from './periods'

const series = (...values: (number | null)[]): Series => ({ key: 'a', title: 'a', color: '#000', values })

it('stands bars on each other, and nothing is a bar without height', () => {
  const bars = stacked([series(1, 2), series(3, null)], 2)
  expect(bars).toEqual([
    [
      { low: 0, high: 1 },
      { low: 0, high: 2 },
    ],
    [
      { low: 1, high: 4 },
      { low: 2, high: 2 },
    ],
  ])
})

it('has space for the highest stack, the bounds of a line and values below nought', () => {
  expect(heightOf([series(1, 2), series(3, 0)], true, 2)[1]).toBeCloseTo(4.24)
  expect(heightOf([{ ...series(1), bounds: [[0.5, 2]] }], false, 1)).toEqual([0, 2.12])
  expect(heightOf([series(-2, 2)], false, 2)[0]).toBe(-2)
  expect(heightOf([series(null)], false, 1)).toEqual([0, 1])
  expect(heightOf([series(0)], true, 1)).toEqual([0, 1])
})

it('interrupts a line where nothing is known', () => {
  expect(stretches([1, 2, null, 3])).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
    [[3, 3]],
  ])
  expect(stretches([null])).toEqual([])
})

it('names few enough periods, the last one always', () => {
  expect(namedPlaces(24, 6)).toEqual([3, 7, 11, 15, 19, 23])
  expect(namedPlaces(3, 6)).toEqual([0, 1, 2])
  expect(namedPlaces(30, 4).at(-1)).toBe(29)
  expect(namedPlaces(30, 4).length).toBeLessThanOrEqual(4)
})

it('reads the last period of which something is known first', () => {
  expect(lastKnown([series(1, 0, null)], 3, true)).toBe(0)
  expect(lastKnown([series(1, 0, null)], 3, false)).toBe(1)
  expect(lastKnown([series(null, null)], 2, false)).toBe(1)
  expect(lastKnown([series(0, 0)], 2, true, -1)).toBe(-1)
})

import { expect, it } from 'vitest'

import type { Pair } from '../api/types'
import { adjusted, chosenOf } from './against'

const pair = (p: number | null): Pair => ({
  num_items: 100,
  num_fixed: 9,
  num_broken: 2,
  is_amount: false,
  test: p === null ? null : { difference: 0.07, interval: [0.01, 0.13], p_value: p },
})

it('keeps the order of the address and leaves out what may not be compared', () => {
  const offered = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(chosenOf('c,a,x,c,', offered)).toEqual([{ id: 'c' }, { id: 'a' }])
  expect(chosenOf(null, offered)).toEqual([])
})

it('adjusts p-values as Holm does, never below those of smaller ones, and leaves a single one alone', () => {
  const found = adjusted([pair(0.03), null, pair(0.01), pair(0.02), pair(null)])
  expect(found.map((each) => each?.test?.p_value)).toEqual([0.04, undefined, 0.03, 0.04, undefined])
  expect(adjusted([pair(0.03)])[0]?.test?.p_value).toBe(0.03)
  expect(adjusted([pair(0.6), pair(0.7)]).map((each) => each?.test?.p_value)).toEqual([1, 1])
})

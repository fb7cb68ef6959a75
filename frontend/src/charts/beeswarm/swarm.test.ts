import { expect, it } from 'vitest'

import { lanesOf, ranksOf } from './swarm'

it('lays points beside each other where they would cover each other', () => {
  expect(lanesOf([0, 1, 2, 40, 1], 6)).toEqual([0, 1, -1, 0, 2])
})

it('ranks what can be ordered, equal for equal', () => {
  expect(ranksOf([10, 5, NaN, 20, 5])).toEqual([0.5, 0, null, 1, 0])
  expect(ranksOf([7, 7])).toEqual([0.5, 0.5])
})

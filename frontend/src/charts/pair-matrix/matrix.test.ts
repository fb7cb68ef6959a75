import { expect, it } from 'vitest'

import { pairMatrix } from './matrix'

const pairs = [
  { first: 'a', second: 'b', strength: 0.9, is_inverse: false },
  { first: 'c', second: 'd', strength: 0.8, is_inverse: false },
  { first: 'b', second: 'c', strength: 0.3, is_inverse: true },
  { first: 'a', second: 'e', strength: 0.2, is_inverse: false },
]

it('shows the columns of the strongest pairs, the same on both sides and inverse ones below 0', () => {
  const { names, cells } = pairMatrix(pairs, 4)
  expect(names).toEqual(['a', 'b', 'c', 'd'])
  expect(cells).toEqual([
    [1, 0.9, null, null],
    [0.9, 1, -0.3, null],
    [null, -0.3, 1, 0.8],
    [null, null, 0.8, 1],
  ])
})

it('leaves out a pair that would need more columns than there is space for', () => {
  expect(pairMatrix(pairs, 3).names).toEqual(['a', 'b', 'c'])
  expect(pairMatrix([], 3)).toEqual({ names: [], cells: [] })
})

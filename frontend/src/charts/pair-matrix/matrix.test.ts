import { expect, it } from 'vitest'

import { pairMatrix } from './matrix'

const pairs = [
  { first: 'a', second: 'b', strength: 0.9 },
  { first: 'c', second: 'd', strength: 0.8 },
  { first: 'b', second: 'c', strength: 0.3 },
  { first: 'a', second: 'e', strength: 0.2 },
]

it('shows the columns of the strongest pairs and the same on both sides', () => {
  const { names, cells } = pairMatrix(pairs, 4)
  expect(names).toEqual(['a', 'b', 'c', 'd'])
  expect(cells).toEqual([
    [1, 0.9, null, null],
    [0.9, 1, 0.3, null],
    [null, 0.3, 1, 0.8],
    [null, null, 0.8, 1],
  ])
})

it('leaves out a pair that would need more columns than there is space for', () => {
  expect(pairMatrix(pairs, 3).names).toEqual(['a', 'b', 'c'])
  expect(pairMatrix([], 3)).toEqual({ names: [], cells: [] })
})

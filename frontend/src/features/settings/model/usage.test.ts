import { expect, test } from 'vitest'

import { shareColor, usedShare } from './usage'

test('a share of what may be used', () => {
  expect(usedShare({ used: 5, limit: null })).toBe(0)
  expect(usedShare({ used: 5, limit: 20 })).toBe(0.25)
  expect(usedShare({ used: 0, limit: 0 })).toBe(1)
  expect([0, 0.79, 0.8, 1, 2].map(shareColor)).toEqual(['teal', 'teal', 'orange', 'red', 'red'])
})

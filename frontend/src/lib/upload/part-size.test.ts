import { expect, it } from 'vitest'

import { firstPartBytes, nextPartBytes } from './part-size'

const KIB = 1024
const MOST = 8 * KIB * KIB

it('begins small and grows at once where the line is quick', () => {
  expect(firstPartBytes(MOST)).toBe(256 * KIB)
  expect(nextPartBytes(256 * KIB, 10, MOST)).toBe(MOST)
  expect(nextPartBytes(256 * KIB, 0, MOST)).toBe(MOST)
})

it('takes about a second and a half on a slow line, and does not fall below the first part', () => {
  expect(nextPartBytes(256 * KIB, 750, MOST)).toBe(512 * KIB)
  expect(nextPartBytes(MOST, 12_000, MOST)).toBe(1024 * KIB)
  expect(nextPartBytes(256 * KIB, 60_000, MOST)).toBe(256 * KIB)
})

it('keeps to what the server takes', () => {
  expect(firstPartBytes(4)).toBe(4)
  expect(nextPartBytes(4, 1, 4)).toBe(4)
})

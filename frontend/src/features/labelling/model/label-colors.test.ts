import { expect, it } from 'vitest'

import { nextColor } from './label-colors'

it('gives each of the first labels a colour of its own, and goes on after that', () => {
  const used: string[] = []
  for (let count = 0; count < 20; count++) used.push(nextColor(used))
  expect(new Set(used.slice(0, 12)).size).toBe(12)
  expect(used.every((color) => /^#[0-9a-f]{6}$/.test(color))).toBe(true)
})

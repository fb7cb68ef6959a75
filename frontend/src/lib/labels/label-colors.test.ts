import { expect, it } from 'vitest'

import { nextColor, withNewLabels } from './label-colors'

it('gives each of the first labels a colour of its own, and goes on after that', () => {
  const used: string[] = []
  for (let count = 0; count < 20; count++) used.push(nextColor(used))
  expect(new Set(used.slice(0, 12)).size).toBe(12)
  expect(used.every((color) => /^#[0-9a-f]{6}$/.test(color))).toBe(true)
})

it('adds only the names that are not there, in the order given', () => {
  const cat = { name: 'cat', color: '#112233' }
  const labels = withNewLabels([cat], ['bird', 'cat', 'dog'])
  expect(labels.map(({ name }) => name)).toEqual(['cat', 'bird', 'dog'])
  expect(labels[0]).toBe(cat)
  expect(new Set(labels.map(({ color }) => color)).size).toBe(3)
})

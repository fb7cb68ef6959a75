import { expect, it } from 'vitest'

import { answerDomain, stripOf } from './points'

it('keeps probabilities within 0..1 and lets amounts breathe', () => {
  expect(answerDomain([0.02, 0.99], true)).toEqual([0, 1])
  const [low, high] = answerDomain([100, 200], false)
  expect([low, high]).toEqual([90, 210])
})

it('is darkest where most rows are and covers the whole axis', () => {
  const strips = stripOf([10, 20, 60], [0.2, 0.4, 0], [0, 100])
  expect(strips.map(({ from, to }) => [from, to])).toEqual([
    [0, 15],
    [15, 40],
    [40, 100],
  ])
  expect(strips.map(({ opacity }) => opacity)).toEqual([0.425, 0.85, 0])
})

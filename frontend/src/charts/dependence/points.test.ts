import { expect, it } from 'vitest'

import { answerDomain, stripOf } from './points'

it('begins at zero where that is near, and ends probabilities at 1', () => {
  expect(answerDomain([0.02, 0.99], true)).toEqual([0, 1])
  expect(answerDomain([0.2, 0.4], true)).toEqual([0, 0.42000000000000004])
  expect(answerDomain([100, 200], false)).toEqual([0, 210])
  expect(answerDomain([180, 200], false)).toEqual([178, 202])
  expect(answerDomain([-10, 10], false)).toEqual([-12, 12])
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

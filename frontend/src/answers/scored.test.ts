import { expect, it } from 'vitest'

import { scoresOf } from './scored'

it('puts the best answer first and leaves out what has no score', () => {
  const annotations = [
    { kind: 'class', label: 'cat', score: 0.2 },
    { kind: 'class', label: 'dog', score: 0.8 },
    { kind: 'class', label: 'owl', score: null },
  ]
  expect(scoresOf(annotations)).toEqual([
    { label: 'dog', score_fraction: 0.8 },
    { label: 'cat', score_fraction: 0.2 },
  ])
})

it('is empty where nothing was answered', () => {
  expect(scoresOf([])).toEqual([])
})

import { expect, it } from 'vitest'

import { scoresOf } from './scores'

it('puts the best answer first and leaves out what has no score', () => {
  const annotations = [
    { label: 'cat', score: 0.2 },
    { label: 'dog', score: 0.8 },
    { label: 'owl', score: null },
  ]
  expect(scoresOf({ predictions: [{ annotations }] })).toEqual([
    { label: 'dog', score_fraction: 0.8 },
    { label: 'cat', score_fraction: 0.2 },
  ])
})

it('is empty where nothing was answered', () => {
  expect(scoresOf({ predictions: [] })).toEqual([])
})

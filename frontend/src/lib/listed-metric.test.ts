import { expect, it } from 'vitest'

import { listedMetric } from './listed-metric'

it('prefers the test split and falls back to validation', () => {
  expect(listedMetric({ validation: { accuracy: 0.9 }, test: { accuracy: 0.8 } }, 'accuracy')).toEqual({ split: 'test', value: 0.8 })
  expect(listedMetric({ validation: { accuracy: 0.9 }, test: {} }, 'accuracy')).toEqual({ split: 'validation', value: 0.9 })
  expect(listedMetric({ train: { accuracy: 1 } }, 'accuracy')).toBeNull()
})

import { expect, it } from 'vitest'

import { listedMetric, isTooFew } from './listed-metric'

it('prefers the test split and falls back to validation', () => {
  const both = { validation: { accuracy: 0.9 }, test: { accuracy: 0.8 } }
  expect(listedMetric({ metrics: both }, 'accuracy')).toEqual({ split: 'test', value: 0.8, interval: null, num_items: null })
  expect(listedMetric({ metrics: { ...both, test: {} } }, 'accuracy')).toMatchObject({ split: 'validation', value: 0.9 })
  expect(listedMetric({ metrics: { train: { accuracy: 1 } } }, 'accuracy')).toBeNull()
})

it('carries the interval and the number of items of the split that is shown', () => {
  const model = { metrics: { test: { accuracy: 1 } }, intervals: { test: { accuracy: [0.21, 1] } }, num_judged: { test: 1, validation: 2 } }
  expect(listedMetric(model, 'accuracy')).toEqual({ split: 'test', value: 1, interval: [0.21, 1], num_items: 1 })
})

it('takes nothing from the value of fewer than thirty items', () => {
  expect([1, 29, 30, null].map(isTooFew)).toEqual([true, true, false, false])
})

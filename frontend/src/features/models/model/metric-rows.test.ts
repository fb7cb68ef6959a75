// @vitest-environment jsdom
import { expect, it } from 'vitest'

import { intervalRows } from './metric-rows'

const text = (en: string) => ({ en, zh: `${en}（中）` })
const metrics = [
  { name: 'accuracy', title: text('Accuracy'), help: text(''), unit: 'fraction' },
  { name: 'recall_macro', title: text('Recall'), help: text(''), unit: 'fraction' },
  { name: 'log_loss', title: text('Log loss'), help: text(''), unit: 'loss' },
]

it('gives each fraction a row in the language asked for, and losses none', () => {
  const left = { metrics: { accuracy: 0.9, log_loss: 0.3 }, intervals: { accuracy: [0.8, 0.95] } }
  const right = { metrics: { accuracy: 0.7 }, intervals: {} }
  const rows = intervalRows(metrics, [left, right], (words) => words.zh)
  expect(rows.map((row) => row.title)).toEqual(['Accuracy（中）'])
  expect(rows[0]?.measured).toEqual([
    { value: 0.9, interval: [0.8, 0.95] },
    { value: 0.7, interval: null },
  ])
})

it('keeps errors in the unit of the target apart from fractions, and writes R² as it is written', () => {
  const ofNumbers = [
    { name: 'rmse', title: text('RMSE'), help: text(''), unit: 'target' },
    { name: 'r2', title: text('R²'), help: text(''), unit: 'fraction' },
  ]
  const split = { metrics: { rmse: 1200, r2: -0.2 }, intervals: {} }
  const [errors, fractions] = [
    intervalRows(ofNumbers, [split], (words) => words.en, 'target'),
    intervalRows(ofNumbers, [split], (words) => words.en),
  ]
  expect(errors.map(({ key, format }) => [key, format?.(1200)])).toEqual([['rmse', '1,200']])
  expect(fractions.map(({ key, format, isPlain }) => [key, format?.(-0.2), isPlain])).toEqual([['r2', '-0.2', true]])
})

it('keeps the place of a split that lacks the metric', () => {
  const rows = intervalRows(
    metrics,
    [
      { metrics: {}, intervals: {} },
      { metrics: { recall_macro: 1 }, intervals: {} },
    ],
    (words) => words.en,
  )
  expect(rows[0]?.measured).toEqual([null, { value: 1, interval: null }])
})

import { expect, it } from 'vitest'

import type { Period } from '../api/types'
import { answerSeries, callSeries, hasNumbers, lossSeries, MOST_CODES, numberSeries } from './timeline'

const period = (fields: Partial<Period>): Period => ({
  at: '2026-01-01T00:00:00Z',
  calls: 0,
  errors: [],
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
  answers: [],
  low: null,
  median: null,
  high: null,
  uncertainty: null,
  feedback: 0,
  loss: null,
  loss_low: null,
  loss_high: null,
  ...fields,
})
const drawn = { title: 'x', color: '#000' }
const values = (series: readonly { key: string; values: readonly (number | null)[] }[]) =>
  series.map(({ key, values: each }) => [key, each])

it('parts answered calls from refused ones by code, the commonest first', () => {
  const periods = [
    period({ calls: 10, errors: [{ status: 429, code: 'quota_exceeded', calls: 1 }] }),
    period({ calls: 5, errors: [{ status: 400, code: 'picture_unreadable', calls: 3 }] }),
  ]
  expect(values(callSeries(periods, drawn, drawn, () => drawn))).toEqual([
    ['answered', [9, 2]],
    ['code:picture_unreadable', [0, 3]],
    ['code:quota_exceeded', [1, 0]],
  ])
})

it('counts the rarest codes together, so that the legend stays short', () => {
  const errors = Array.from({ length: 7 }, (_, place) => ({ status: 400, code: `c${place}`, calls: 10 - place }))
  const series = callSeries([period({ calls: 100, errors })], drawn, drawn, () => drawn)
  expect(series.map(({ key }) => key)).toEqual(['answered', 'code:c0', 'code:c1', 'code:c2', 'others'])
  expect(series.length).toBe(MOST_CODES + 1)
  expect(series.reduce((sum, { values: [value] }) => sum + (value ?? 0), 0)).toBe(100)
})

it('gives the shares of answers of each period, and nothing of a period without', () => {
  const periods = [
    period({
      answers: [
        { label: 'cat', count: 6 },
        { label: null, count: 2 },
        { label: 'rare', count: 2 },
      ],
    }),
    period({}),
  ]
  expect(values(answerSeries({ periods, labels: ['cat', null] }, () => drawn, drawn))).toEqual([
    ['label:cat', [0.6, null]],
    ['label:', [0.2, null]],
    ['others', [0.2, null]],
  ])
})

it('draws numbers and losses with what lies around them', () => {
  const periods = [period({ low: 1, median: 2, high: 4, loss: 0.1, loss_low: 0.05, loss_high: 0.2 }), period({})]
  expect(hasNumbers(periods)).toBe(true)
  expect(hasNumbers([period({})])).toBe(false)
  expect(numberSeries(periods, drawn)[0]).toMatchObject({ values: [2, null], bounds: [[1, 4], null] })
  expect(lossSeries(periods, drawn)[0]).toMatchObject({ values: [0.1, null], bounds: [[0.05, 0.2], null] })
})

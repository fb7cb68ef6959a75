import { expect, it } from 'vitest'

import type { Compared } from '../api/types'
import { budgetOf, frontOf, isRunning, pointsOf, ranked } from './compression'

const at = (value: number, latency_ms: number) => ({
  value,
  latency_ms,
  latency_interval: [latency_ms - 1, latency_ms + 1],
  model_bytes: 9,
})
const candidate = (method: string, latency_ms: number, over: Compared['candidates'][number]['over']) => ({
  title: { en: method, zh: method },
  summary: { en: '', zh: '' },
  measured: {
    method,
    point: at(0.8, latency_ms),
    loss: 0.1,
    loss_interval: [0, 0.2],
    speedup: 2,
    speedup_interval: [1, 3],
    num_changed: 1,
    num_kept: 0,
    tolerance: 0.001,
  },
  over,
  artefact: null,
  artefact_number: null,
})
const found: Compared = {
  split: 'test',
  num_items: 10,
  num_calibration: 8,
  measure: 'accuracy',
  is_higher_better: true,
  original: at(0.9, 10),
  candidates: [candidate('fast', 2, ['loss']), candidate('middle', 5, []), candidate('slow', 8, [])],
  left_out: [],
}

it('reads an empty field as no limit', () => {
  expect(budgetOf({ points: 0.5, latency_ms: '', megabytes: 5 })).toEqual({ max_loss: 0.005, max_latency_ms: null, max_bytes: 5242880 })
})

it('writes a loss as points with a sign', () => {
  expect([pointsOf(0.013), pointsOf(-0.02), pointsOf(0), pointsOf(0.0001)]).toEqual(['−1.3', '+2.0', '0.0', '0.0'])
})

it('draws the original beside its candidates and marks those over budget', () => {
  const points = frontOf(found, 'now', ({ en }) => en)
  expect(points.map(({ name, rank }) => [name, rank])).toEqual([
    ['now', 'original'],
    ['fast', 'beaten'],
    ['middle', 'front'],
    ['slow', 'front'],
  ])
})

it('lists what is within the budget first, the fastest before the others', () => {
  expect(ranked(found.candidates).map(({ measured }) => measured.method)).toEqual(['middle', 'slow', 'fast'])
})

it('is running until its job has ended', () => {
  expect(isRunning({ job: null })).toBe(false)
})

import { expect, it } from 'vitest'

import { coverageKind } from './kind'

const classScores = (scores: number[], thresholds: Record<string, number> = {}) =>
  coverageKind('class_scores').beside({ data: Float32Array.from(scores), axes: [3] }, ['a', 'b', 'c'], thresholds, {
    error_rate: 0.1,
    limits: { a: 0.25, b: 0.5, c: 0.125 },
    reach: null,
  })

it('asks a person unless exactly the predicted label is possible', () => {
  expect(classScores([0.25, 0.625, 0.125])).toEqual({ ask_a_person: true, possible_labels: ['b', 'a', 'c'] })
  expect(classScores([0, 0.25, 0.75])).toEqual({ ask_a_person: false, possible_labels: ['c'] })
  expect(classScores([0, 0.25, 0.75], { a: 0.5, b: 0.1, c: 0.9 }).ask_a_person).toBe(true)
})

it('says between which numbers the true one lies', () => {
  const number = { data: Float32Array.of(0.1), axes: [1] }
  const found = coverageKind('number').beside(number, [], {}, { error_rate: 0.2, limits: {}, reach: 2.5 })
  expect(found).toEqual({ interval: { low: -2.4, high: 2.6, error_rate: 0.2 } })
})

it('refuses what says too little', () => {
  const scores = { data: Float32Array.of(1), axes: [1] }
  const chosen = { error_rate: 0.2, limits: {}, reach: null }
  expect(() => coverageKind('class_scores').beside(scores, ['a'], {}, chosen)).toThrow('no limit of the label a')
  expect(() => coverageKind('number').beside(scores, [], {}, chosen)).toThrow('no reach')
})

import { expect, it } from 'vitest'

import { stepsOf, toRolloutRequest } from './rollout-form'

it('reads steps as people write them', () => {
  expect(stepsOf('5, 20,50')).toEqual([5, 20, 50])
  expect(stepsOf('5，20、50')).toEqual([5, 20, 50])
  for (const wrong of ['', '50, 20', '5, 5', '0, 10', '10, 100', '5.5', 'half']) expect(stepsOf(wrong)).toBeNull()
})

it('sends points as a fraction, and nothing without a candidate', () => {
  const form = { candidate: 'art_1', measure: 'errors' as const, steps: '10', step_minutes: 5, margin: 1 }
  expect(toRolloutRequest(form)).toEqual({ candidate: 'art_1', measure: 'errors', steps: [10], step_minutes: 5, margin: 0.01 })
  expect(toRolloutRequest({ ...form, candidate: '' })).toBeNull()
})

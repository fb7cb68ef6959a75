import { describe, expect, it } from 'vitest'

import { paceOf, type Sample, sampled } from './pace'

const after = (...counts: readonly (readonly [number, number])[]) =>
  counts.reduce<readonly Sample[]>((samples, [at_ms, num_results]) => sampled(samples, { at_ms, num_results }), [])

describe('the pace of a run', () => {
  it('is not known from one count', () => {
    expect(paceOf(after([0, 0]))).toBeNull()
    expect(paceOf(after([0, 0], [1500, 0]))).toBeNull()
  })

  it('is measured from leap to leap', () => {
    expect(paceOf(after([0, 100], [1500, 100], [3000, 400]))).toBe(100)
  })

  it('forgets what is long past', () => {
    expect(paceOf(after([0, 0], [10_000, 10], [60_000, 1000], [70_000, 3000]))).toBe(200)
  })

  it('begins anew where a run does', () => {
    expect(paceOf(after([0, 500], [3000, 800], [4000, 0]))).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'

import { planSummary, type PlannedTrial } from './plan-summary'

const trial = (memory_bytes: number, fits = true): PlannedTrial => ({ family: 'resnet', size: '18', estimated_s: 1, memory_bytes, fits })

describe('planSummary', () => {
  it('splits the trials into known ones and ones that the search will choose', () => {
    expect(planSummary([trial(1), trial(1)], 8, 1)).toMatchObject({ num_known: 2, num_searched: 6 })
  })

  it('leaves out what does not fit and shows how many', () => {
    expect(planSummary([trial(5), trial(99, false)], 1, 4)).toEqual({
      num_known: 1,
      num_too_large: 1,
      num_searched: 0,
      memory_bytes: 5,
    })
  })

  it('counts the memory of the largest that run at once', () => {
    expect(planSummary([trial(3), trial(9), trial(5)], 8, 2).memory_bytes).toBe(14)
  })

  it('searches nothing where nothing fits', () => {
    expect(planSummary([trial(1, false)], 4, 2)).toMatchObject({ num_known: 0, num_searched: 0, memory_bytes: 0 })
  })
})

import { expect, it } from 'vitest'

import { pooledCalibration } from './pooled-calibration'

it('weighs each bin by its items', () => {
  const { bins, error } = pooledCalibration([
    { bins: [{ mean_score: 0.92, share: 1, count: 3 }] },
    {
      bins: [
        { mean_score: 0.96, share: 0, count: 1 },
        { mean_score: 1, share: 1, count: 4 },
        { mean_score: 0.05, share: 0, count: 8 },
      ],
    },
  ])
  expect(bins).toEqual([
    { mean_score: 0.05, share: 0, count: 8 },
    { mean_score: expect.closeTo(0.965) as number, share: 0.875, count: 8 },
  ])
  expect(error).toBeCloseTo(0.07)
})

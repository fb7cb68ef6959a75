import { expect, it } from 'vitest'

import { residuals, sharedDomain, thinned, type TruthPoint } from './points'

const point = (truth: number, prediction: number): TruthPoint => ({ item: `itm_${truth}`, truth, prediction })

it('gives both axes one domain', () => {
  const [low, high] = sharedDomain([point(1, 5), point(3, -1)])
  expect(low).toBeLessThan(-1)
  expect(high).toBeGreaterThan(5)
})

it('shows how far an answer is above the truth', () => {
  expect(residuals([point(2, 5), point(3, 1)])).toEqual([3, -2])
})

it('thins out evenly and keeps both ends', () => {
  const many = Array.from({ length: 1000 }, (_, index) => index)
  const few = thinned(many, 11)
  expect(few).toHaveLength(11)
  expect([few[0], few[5], few[10]]).toEqual([0, 500, 999])
  expect(thinned([1, 2], 5)).toEqual([1, 2])
})

import { expect, test } from 'vitest'

import { areaPath, highestOf, type StepTime } from './area'

const POINTS: StepTime[] = [
  { step: 1, wait_ms: 1, compute_ms: 2 },
  { step: 2, wait_ms: 0, compute_ms: 4 },
]

test('goes along the upper line and back along the lower one', () => {
  const same = (value: number) => value
  expect(
    areaPath(
      POINTS,
      (point) => point.compute_ms,
      (point) => point.compute_ms + point.wait_ms,
      same,
      same,
    ),
  ).toBe('M1.0,3.0L2.0,4.0L2.0,4.0L1.0,2.0Z')
  expect(areaPath([], same as never, same as never, same, same)).toBe('')
})

test('reaches the largest sum, but not one that towers above the others', () => {
  expect(highestOf(POINTS)).toBe(4)
  const usual = Array.from({ length: 20 }, (_, step) => ({ step, wait_ms: 0, compute_ms: 2 }))
  expect(highestOf([...usual, { step: 21, wait_ms: 900, compute_ms: 2 }])).toBe(6)
})

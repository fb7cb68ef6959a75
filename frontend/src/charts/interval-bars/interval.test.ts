import { describe, expect, it } from 'vitest'

import { amountDomain, areApart, intervalDomain, intervalTicks, placeIn } from './interval'

describe('intervalDomain', () => {
  it('starts at a round tenth below everything shown', () => {
    expect(intervalDomain([{ value: 0.74, interval: [0.63, 0.82] }])).toEqual([0.6, 1])
  })

  it('does not blow up a small difference between good models', () => {
    expect(intervalDomain([{ value: 0.99, interval: [0.985, 0.995] }])).toEqual([0.8, 1])
  })

  it('never leaves 0..1', () => {
    expect(intervalDomain([{ value: 0.01, interval: null }])).toEqual([0, 1])
  })
})

it('begins at zero for amounts and ends above the highest', () => {
  const [low, high] = amountDomain([
    { value: 10, interval: [8, 15] },
    { value: 12, interval: null },
  ])
  expect(low).toBe(0)
  expect(high).toBeGreaterThan(15)
  expect(amountDomain([])).toEqual([0, 1])
})

describe('placeIn', () => {
  it('places inside and clamps outside', () => {
    expect(placeIn([0.8, 1], 0.9)).toBeCloseTo(0.5)
    expect(placeIn([0.8, 1], 0.2)).toBe(0)
  })
})

it('marks the domain with round numbers', () => {
  expect(intervalTicks([0.8, 1])).toEqual([0.8, 0.85, 0.9, 0.95, 1])
})

describe('areApart', () => {
  it('calls touching intervals together', () => {
    expect(areApart([0.1, 0.5], [0.5, 0.9])).toBe(false)
    expect(areApart([0.1, 0.4], [0.5, 0.9])).toBe(true)
  })
})

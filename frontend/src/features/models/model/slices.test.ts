import { describe, expect, it } from 'vitest'

import { conditionOf, sliceDomain } from './slices'

const ends = { scale: 'number', low: null, high: null, value: null } as const

describe('conditionOf', () => {
  it('shows the ends that there are', () => {
    expect(conditionOf({ ...ends, high: 0.2 })).toEqual({ key: 'below', high: 0.2 })
    expect(conditionOf({ ...ends, low: 0 })).toEqual({ key: 'from', low: 0 })
    expect(conditionOf({ ...ends, low: 0, high: 3 })).toEqual({ key: 'between', low: 0, high: 3 })
  })

  it('distinguishes a value from none', () => {
    expect(conditionOf({ ...ends, scale: 'value', value: 'Graz' })).toEqual({ key: 'value', value: 'Graz' })
    expect(conditionOf({ ...ends, value: '' })).toEqual({ key: 'unknown' })
  })
})

describe('sliceDomain', () => {
  it('shows shares up to one and never less than a fifth of the axis', () => {
    const near = { interval: [0.9, 0.97] as [number, number], rest: 0.99 }
    expect(sliceDomain([near], true)).toEqual([0.8, 1])
    expect(sliceDomain([near, { ...near, interval: [0.48, 0.72] }], true)).toEqual([0.4, 1])
  })

  it('begins at zero for amounts', () => {
    expect(sliceDomain([{ interval: [2, 4], rest: 1 }], false)).toEqual([0, 4.2])
  })
})

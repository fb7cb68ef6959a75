import { describe, expect, it } from 'vitest'

import { extent, linearScale, logScale, withMargin, roundTicks, widened } from './scale'

describe('extent', () => {
  it('passes over what is no finite number', () => {
    expect(extent([3, null, NaN, -1, undefined, Infinity])).toEqual([-1, 3])
  })

  it('is null where nothing is left', () => {
    expect(extent([null, NaN])).toBeNull()
  })
})

describe('widened', () => {
  it('gives a single value some space', () => {
    expect(widened([0, 0], 0.1)).toEqual([-0.1, 0.1])
    expect(widened([4, 4], 0.25)).toEqual([3, 5])
  })
})

describe('roomFor', () => {
  it('does not leave 0..1 for fractions', () => {
    expect(withMargin([1, 1])).toEqual([0.92, 1])
    expect(withMargin([0, 0.5])).toEqual([0, 0.54])
  })

  it('gives other values space on both sides', () => {
    expect(withMargin([0, 2])).toEqual([-0.16, 2.16])
  })
})

describe('roundTicks', () => {
  it('stays inside and has no float dust', () => {
    expect(roundTicks([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(roundTicks([0.813, 0.964], 4)).toEqual([0.85, 0.9, 0.95])
  })

  it('answers an empty interval with its value', () => {
    expect(roundTicks([2, 2], 5)).toEqual([2])
  })
})

describe('scales', () => {
  it('maps the ends of the domain to the ends of the range, also downwards', () => {
    const scale = linearScale([0, 10], [100, 0])
    expect(scale.toPx(0)).toBe(100)
    expect(scale.toPx(10)).toBe(0)
    expect(scale.toPx(5)).toBe(50)
  })

  it('spaces decades evenly', () => {
    const scale = logScale([1e-4, 1e-1], [0, 300])
    expect(scale.toPx(1e-3)).toBeCloseTo(100)
    expect(scale.ticks).toEqual([1e-4, 1e-3, 1e-2, 1e-1])
  })

  it('adds 2 and 5 where decades are few', () => {
    expect(logScale([0.01, 0.1], [0, 1]).ticks).toEqual([0.01, 0.02, 0.05, 0.1])
  })
})

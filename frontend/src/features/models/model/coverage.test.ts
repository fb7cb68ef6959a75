import { describe, expect, it } from 'vitest'

import { cheapestLine, coverageCost, firstRate, isBelow, limitsSetBy, ratesOf, sharesOf } from './coverage'

function line(error_rate: number, num_asked: number, num_wrong: number, scope: 'all' | 'label' = 'all') {
  return {
    error_rate,
    scope,
    limits: { a: 0.5 },
    measure: { num_items: 200, num_covered: 180, num_asked, num_wrong, interval: [0.85, 0.93] },
  }
}

describe('guarantees of a report', () => {
  it('say whose answers set the limits', () => {
    const split = (is_learned: boolean) => [{ split: 'validation', is_learned }]
    expect(limitsSetBy({ judgement: { by: 'folds' }, splits: split(false) })).toBe('folds')
    expect(limitsSetBy({ judgement: null, splits: split(true) })).toBe('earlier')
    expect(limitsSetBy({ judgement: { by: 'split' }, splits: [...split(false), { split: 'test', is_learned: true }] })).toBeNull()
  })

  it('lists each rate once, the strictest first', () => {
    expect(ratesOf([line(0.2, 0, 0), line(0.05, 0, 0), line(0.05, 0, 0, 'label')])).toEqual([0.05, 0.2])
  })

  it('looks at the rate in use first, then at the usual one, then at the strictest that there are items for', () => {
    const of = (...rates: number[]) => [0.01, 0.05, 0.1, 0.2].map((error_rate) => ({ error_rate, isEnough: rates.includes(error_rate) }))
    expect(firstRate(of(0.05, 0.1, 0.2), 0.05)).toBe(0.05)
    expect(firstRate(of(0.05, 0.1, 0.2), 0.01)).toBe(0.1)
    expect(firstRate(of(0.05, 0.2), undefined)).toBe(0.05)
    expect(firstRate(of(), undefined)).toBe(0.01)
    expect(firstRate([], undefined)).toBeUndefined()
  })

  it('divides the items among the model and people', () => {
    expect(sharesOf(line(0.1, 50, 4).measure)).toEqual({ covered: 0.9, asked: 0.25, wrong: 0.02, alone: 0.75 })
  })

  it('warns only where the whole interval lies below the promise', () => {
    expect(isBelow({ interval: [0.66, 0.93] }, 0.1)).toBe(false)
    expect(isBelow({ interval: [0.66, 0.89] }, 0.1)).toBe(true)
    expect(isBelow({ interval: [0.66, 0.89] }, 0.2)).toBe(false)
  })

  it('proposes what costs least, by what a mistake and a look cost', () => {
    const lines = [line(0.01, 120, 1), line(0.1, 40, 6), line(0.2, 10, 20), line(0.05, 1, 0, 'label')]
    expect(cheapestLine(lines, 'all', { wrong: 1, asked: 1 })?.error_rate).toBe(0.2)
    expect(cheapestLine(lines, 'all', { wrong: 10, asked: 1 })?.error_rate).toBe(0.1)
    expect(cheapestLine(lines, 'all', { wrong: 100, asked: 1 })?.error_rate).toBe(0.01)
    expect(coverageCost(line(0.1, 40, 6).measure, { wrong: 10, asked: 1 })).toBe(100)
  })

  it('takes the stricter of two that cost the same, and none that was not measured', () => {
    const unmeasured = { ...line(0.01, 0, 0), measure: null }
    expect(cheapestLine([line(0.2, 5, 1), line(0.1, 4, 2), unmeasured], 'all', { wrong: 1, asked: 1 })?.error_rate).toBe(0.1)
    expect(cheapestLine([unmeasured], 'all', { wrong: 1, asked: 1 })).toBeUndefined()
  })
})

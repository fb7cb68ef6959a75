import { describe, expect, it } from 'vitest'

import { formatP, pairVerdict } from './pair'

const test = (difference: number, p_value: number) => ({
  difference,
  p_value,
  interval: [difference - 0.1, difference + 0.1] as [number, number],
})

describe('pairVerdict', () => {
  it('prefers the one with more right answers, or with smaller errors', () => {
    expect(pairVerdict({ test: test(0.1, 0.01), is_amount: false })).toBe('right')
    expect(pairVerdict({ test: test(-0.1, 0.01), is_amount: false })).toBe('left')
    expect(pairVerdict({ test: test(0.1, 0.01), is_amount: true })).toBe('left')
    expect(pairVerdict({ test: test(-0.1, 0.01), is_amount: true })).toBe('right')
  })

  it('decides nothing by chance, and nothing without a test', () => {
    expect(pairVerdict({ test: test(0.1, 0.05), is_amount: false })).toBe('undecided')
    expect(pairVerdict({ test: null, is_amount: false })).toBe('undecided')
  })
})

describe('formatP', () => {
  it('writes two digits, and no more zeros than one reads', () => {
    expect([formatP(0.0432), formatP(1), formatP(0.00001)]).toEqual(['p\u00a0=\u00a00.043', 'p\u00a0=\u00a01.0', 'p\u00a0<\u00a00.001'])
  })
})

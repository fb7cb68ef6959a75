import { describe, expect, it } from 'vitest'

import { formatBytes, formatFraction, formatMetric, formatNumber, formatSeconds } from './format'

describe('format', () => {
  it('shows fractions as per cent and losses as numbers', () => {
    expect(formatMetric('accuracy', 0.9312)).toBe('93.1%')
    expect(formatMetric('loss', 0.93121)).toBe('0.931')
    expect(formatMetric('train_loss', 12)).toBe('12')
  })

  it('has a dash for what is not known', () => {
    expect(formatFraction(null)).toBe('–')
    expect(formatNumber(NaN)).toBe('–')
    expect(formatSeconds(undefined)).toBe('–')
    expect(formatBytes(null)).toBe('–')
  })

  it('writes learning rates in powers of ten', () => {
    expect(formatNumber(0.0003)).toBe('3e-4')
    expect(formatNumber(0.01)).toBe('0.01')
    expect(formatNumber(2_500_000)).toBe('2.5e6')
  })

  it.each([
    [0.85, '850 ms'],
    [3.14159, '3.1 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [200, '3 min 20 s'],
    [7200, '2 h'],
    [7500, '2 h 5 min'],
  ])('writes %s seconds as %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text)
  })

  it.each([
    [0, '0 B'],
    [812, '812 B'],
    [999_900, '1 MB'],
    [3_412_000, '3.41 MB'],
  ])('writes %s bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

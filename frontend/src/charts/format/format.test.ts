// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { formatAmount, formatDuration, formatEstimate, formatFraction, formatLatency, formatMetric, formatNumber } from './format'

describe('format', () => {
  it('shows fractions as per cent and losses as numbers', () => {
    expect(formatMetric('accuracy', 0.9312)).toBe('93.1%')
    expect(formatMetric('log_loss', 0.93121)).toBe('0.931')
    expect(formatMetric('learning_rate', 0.0003)).toBe('3e-4')
  })

  it('shows errors of numbers in their own unit', () => {
    expect(formatMetric('rmse', 48123.42)).toBe('48,120')
    expect(formatMetric('median_error', 2_513_000)).toBe('2.513M')
    expect(formatMetric('r2', -0.3121)).toBe('-0.312')
    expect(formatAmount(0.00001234)).toBe('1.2e-5')
    expect(formatAmount(0)).toBe('0')
  })

  it('has a dash for what is not known', () => {
    expect(formatFraction(null)).toBe('–')
    expect(formatNumber(NaN)).toBe('–')
    expect(formatLatency(undefined)).toBe('–')
    expect(formatDuration(null)).toBe('–')
  })

  it.each([
    [0.0003, '3e-4'],
    [0.000312, '3.1e-4'],
    [0.01, '0.01'],
    [12, '12'],
    [2_500_000, '2.5e6'],
  ])('writes %s as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  it.each([
    [0.4211, '0.42 ms'],
    [3.14, '3.1 ms'],
    [12.345, '12.3 ms'],
    [1302, '1.3 s'],
  ])('writes %s milliseconds as %s', (value, text) => {
    expect(formatLatency(value)).toBe(text)
  })

  it.each([
    [0.2, '1 sec'],
    [41, '41 sec'],
    [2492, '42 min'],
    [7000, '2 hr'],
  ])('estimates %s seconds as %s', (value, text) => {
    expect(formatEstimate(value)).toBe(text)
  })
})

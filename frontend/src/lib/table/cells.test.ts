// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { formatMoment, isMissing, numberOf, positionOf, secondsOf } from './cells'

describe('cells', () => {
  it('are missing in the words that people write for it', () => {
    expect(['', ' ', 'NA', 'n/a', 'NaN', '-', '缺失', null, undefined].every(isMissing)).toBe(true)
    expect(['0', 'no', 'nah'].some(isMissing)).toBe(false)
  })

  it.each([
    ['12', '.', 12],
    ['-1.5e3', '.', -1500],
    ['1,234,567.5', '.', 1234567.5],
    ['$1,200', '.', 1200],
    ['(5)', '.', -5],
    ['12%', '.', 12],
    ['1.234,5', ',', 1234.5],
    ['0,5', ',', 0.5],
    ['−3', '.', -3],
    ['-$5', '.', -5],
    ['$-5', '.', -5],
    ['− €5', '.', -5],
  ] as const)('read %s with "%s" as a number', (cell, decimal, value) => {
    expect(numberOf(cell, decimal)).toBe(value)
  })

  it.each(['abc', '1,5', '1-2', 'NA', '1e999'])('do not make a number of %s', (cell) => {
    expect(numberOf(cell)).toBeNaN()
  })

  it.each([
    ['12 kg', 12],
    ['12', 12],
    ['-$5', -5],
    ['$ -5', -5],
    ['($1,200 usd)', -1200],
    ['$(5)', -5],
    ['12 KG', NaN],
    ['5 lb', NaN],
    ['€5', NaN],
    ['--$5', NaN],
    ['kg', NaN],
  ] as const)('read %s by the unit of their column', (cell, value) => {
    expect(numberOf(cell, '.', ['kg', '$', 'USD'])).toBe(value)
  })

  it('take moments without a zone as UTC', () => {
    expect(secondsOf('1970-01-02')).toBe(86_400)
    expect(secondsOf('1970-01-01T01:00:00')).toBe(3600)
    expect(secondsOf('1970-01-01 01:00')).toBe(3600)
    expect(secondsOf('1970-01-01T01:00:00+01:00')).toBe(0)
    expect(secondsOf('1500', 'epoch_ms')).toBe(1.5)
    expect(secondsOf('soon')).toBeNaN()
  })

  it('have a place only where there is an order', () => {
    expect(positionOf('3', 'number')).toBe(3)
    expect(positionOf('3', 'category')).toBeNaN()
  })

  it('show a moment no more exactly than the span asks for', () => {
    expect(formatMoment(0, Infinity, 'en')).toBe('Jan 1970')
    expect(formatMoment(0, 86_400, 'en')).toMatch(/Jan 1, 12:00 AM/)
    expect(formatMoment(NaN)).toBe('–')
  })
})

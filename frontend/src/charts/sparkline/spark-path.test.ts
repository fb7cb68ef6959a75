import { describe, expect, it } from 'vitest'

import { sparkPath } from './spark-path'

describe('sparkPath', () => {
  it('spans the whole box, large values on top', () => {
    expect(sparkPath([0, 10], 103, 23)).toBe('M1.5 21.5h0L101.5 1.5')
  })

  it('breaks the line at a gap', () => {
    expect(sparkPath([1, null, 3], 13, 13)).toBe('M1.5 11.5h0M11.5 1.5h0')
  })

  it('lays equal values on the middle line', () => {
    expect(sparkPath([5, 5], 13, 20)).toBe('M1.5 10h0L11.5 10')
  })

  it('draws nothing without values', () => {
    expect(sparkPath([null], 10, 10)).toBe('')
    expect(sparkPath([], 10, 10)).toBe('')
  })
})

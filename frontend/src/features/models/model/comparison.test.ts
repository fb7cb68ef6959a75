import { describe, expect, it } from 'vitest'

import { classChanges, comparableWith, verdict } from './comparison'

describe('comparableWith', () => {
  it('offers other artefacts of the same dataset version only', () => {
    const all = [
      { id: 'a', version: 'v1' },
      { id: 'b', version: 'v1' },
      { id: 'c', version: 'v2' },
    ]
    expect(comparableWith({ id: 'a', version: 'v1' }, all).map((each) => each.id)).toEqual(['b'])
  })
})

describe('verdict', () => {
  it('decides only where the intervals are apart', () => {
    expect(verdict([0.9, 0.95], [0.7, 0.8], true)).toBe('left')
    expect(verdict([0.9, 0.95], [0.7, 0.8], false)).toBe('right')
    expect(verdict([0.7, 0.92], [0.9, 0.95], true)).toBe('undecided')
    expect(verdict(null, [0.9, 0.95], true)).toBe('undecided')
  })
})

describe('classChanges', () => {
  it('lists labels by the size of the change', () => {
    const left = [
      { label: 'cat', f1: 0.9, support: 5 },
      { label: 'dog', f1: 0.8, support: 5 },
      { label: 'gone', f1: 1, support: 5 },
      { label: 'absent', f1: 0, support: 0 },
      { label: 'rare', f1: 0, support: 4 },
    ]
    const right = [
      { label: 'cat', f1: 0.85, support: 5 },
      { label: 'dog', f1: 0.5, support: 5 },
      { label: 'absent', f1: 0, support: 0 },
      { label: 'rare', f1: 1, support: 4 },
    ]
    expect(classChanges(left, right).map((each) => each.label)).toEqual(['dog', 'cat'])
  })
})

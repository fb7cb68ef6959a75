import { describe, expect, it } from 'vitest'

import { frozen, type Suggestion } from './frozen'

const of = (label: string): Suggestion => ({ annotations: [{ kind: 'class', label, score: 0.9 }], by: 'model:head_1', confidence: 0.9 })

describe('the suggestion shown', () => {
  it('appears where there was none, and then stays while the picture does', () => {
    const empty = { item: 'a', suggestion: null }
    const first = frozen(empty, 'a', of('cat'))
    expect(first.suggestion).toEqual(of('cat'))
    expect(frozen(first, 'a', of('dog'))).toBe(first)
    expect(frozen(first, 'a', null)).toBe(first)
  })

  it('is the newest one for the next picture', () => {
    const first = { item: 'a', suggestion: of('cat') }
    expect(frozen(first, 'b', of('dog'))).toEqual({ item: 'b', suggestion: of('dog') })
    expect(frozen(first, 'b', null)).toEqual({ item: 'b', suggestion: null })
  })
})

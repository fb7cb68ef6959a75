import { describe, expect, it } from 'vitest'

import { rankedShares } from './shares'

describe('rankedShares', () => {
  it('puts the most important first', () => {
    expect(rankedShares({ a: 0.2, b: 0.8 }, 'others').map((share) => share.name)).toEqual(['b', 'a'])
  })

  it('sums up the small ones', () => {
    expect(rankedShares({ a: 0.97, b: 0.01, c: 0.015 }, 'others')).toEqual([
      { name: 'a', share_fraction: 0.97 },
      { name: 'others', share_fraction: 0.025 },
    ])
  })

  it('leaves a lone small one its name', () => {
    expect(rankedShares({ a: 0.99, b: 0.01 }, 'others').map((share) => share.name)).toEqual(['a', 'b'])
  })
})

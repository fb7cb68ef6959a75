import { describe, expect, it } from 'vitest'

import { shareAdd, shareRemove, shareSet } from './traffic'

const shares = (...parts: number[]) => parts.map((share, n) => ({ artefact: `art_${n}`, share }))
const parts = (given: { share: number }[]) => given.map((each) => each.share)

describe('shares', () => {
  it('leave the others their proportions and add up to 100', () => {
    expect(parts(shareSet(shares(60, 30, 10), 0, 20))).toEqual([20, 60, 20])
    expect(parts(shareSet(shares(34, 33, 33), 2, 50))).toEqual([25, 25, 50])
    for (let requested = 0; requested <= 100; requested++) {
      const sum = parts(shareSet(shares(50, 31, 19), 1, requested)).reduce((a, b) => a + b)
      expect(sum).toBe(100)
    }
  })

  it('go to models that had none when one gives up all', () => {
    expect(parts(shareSet(shares(100, 0, 0), 0, 40))).toEqual([40, 30, 30])
  })

  it('of a single model are everything, whatever is asked', () => {
    expect(parts(shareSet(shares(100), 0, 30))).toEqual([100])
  })

  it('stay whole when a model comes or goes', () => {
    expect(parts(shareAdd(shares(100), 'art_9'))).toEqual([100, 0])
    expect(parts(shareRemove(shares(50, 30, 20), 0))).toEqual([60, 40])
    expect(parts(shareRemove(shares(0, 100), 1))).toEqual([100])
  })
})

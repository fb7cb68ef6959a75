import { describe, expect, it } from 'vitest'

import { changedShare, DEFAULT_SHARES } from './shares'

describe('changedShare', () => {
  it('changes one share alone while there is space', () => {
    expect(changedShare(DEFAULT_SHARES, 'test_fraction', 0.3)).toEqual({ validation_fraction: 0.15, test_fraction: 0.3 })
  })

  it('takes from the other share what training would lose', () => {
    const shares = { validation_fraction: 0.4, test_fraction: 0.2 }
    expect(changedShare(shares, 'test_fraction', 0.6)).toEqual({ validation_fraction: 0.3, test_fraction: 0.6 })
  })

  it('never leaves training without items', () => {
    expect(changedShare(DEFAULT_SHARES, 'validation_fraction', 1)).toEqual({ validation_fraction: 0.9, test_fraction: 0 })
  })
})

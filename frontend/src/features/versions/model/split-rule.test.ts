import { describe, expect, it } from 'vitest'

import { isPossible, isWhole, ruleBy } from './split-rule'

const FIELDS = { moments: ['seen'], values: ['person', 'Split', 'seen'] }

describe('a rule for the splits', () => {
  it('begins with the field that is likeliest', () => {
    expect(ruleBy('time', FIELDS)).toEqual({ by: 'time', field: 'seen' })
    expect(ruleBy('named', FIELDS)).toEqual({ by: 'named', field: 'Split' })
    expect(ruleBy('value', FIELDS)).toEqual({ by: 'value', field: '' })
    expect(ruleBy('labels', FIELDS)).toEqual({ by: 'labels', field: '' })
  })

  it('by time without a field means the upload; groups and names need one', () => {
    expect(isWhole(ruleBy('time', { moments: [], values: [] }))).toBe(true)
    expect(isWhole({ by: 'value', field: '' })).toBe(false)
    expect(isWhole({ by: 'named', field: '' })).toBe(false)
    expect(isWhole({ by: 'named', field: 'part' })).toBe(true)
  })

  it('is possible where something could decide', () => {
    expect(isPossible('time', { moments: [], values: [] })).toBe(true)
    expect(isPossible('value', { moments: [], values: [] })).toBe(false)
    expect(isPossible('value', FIELDS)).toBe(true)
  })
})

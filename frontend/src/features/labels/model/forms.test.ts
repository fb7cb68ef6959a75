import { describe, expect, it } from 'vitest'

import { attributesComplete } from './attributes'
import { emptyPart, splitPlan } from './split'

describe('forms of the label page', () => {
  it('plans a split from complete rows only', () => {
    const rows = [{ ...emptyPart(), name: ' camera ', value: 'north', label: ' night ' }, emptyPart()]
    expect(splitPlan('cat', 'metadata', rows)).toEqual({
      kind: 'split',
      source: 'cat',
      parts: [{ by: 'metadata', name: 'camera', value: 'north', label: 'night', items: [] }],
    })
    expect(splitPlan('cat', 'attribute', [emptyPart()])).toBeNull()
  })

  it('saves attributes that can be asked for', () => {
    const switched = { name: 'occluded', kind: 'switch' as const, choices: [] }
    expect(attributesComplete([switched, { name: '', kind: 'switch', choices: [] }])).toEqual([switched])
    expect(attributesComplete([switched, { ...switched }])).toBeNull()
    expect(attributesComplete([{ name: 'colour', kind: 'choice', choices: ['red'] }])).toBeNull()
  })
})

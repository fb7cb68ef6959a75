import { describe, expect, it } from 'vitest'

import type { ItemsView } from './items-query'
import { placeOf, withPlace } from './report-place'

const VIEWS: ItemsView[] = [
  { kind: 'cell', truth: 'a & b', answer: 'c' },
  { kind: 'objects', truth: 'a', answer: 'b' },
  { kind: 'objects', truth: null, answer: 'b' },
  { kind: 'label', label: 'a' },
  { kind: 'outcome', label: 'a', threshold: 0.25, outcome: 'missed', other: 'b' },
  { kind: 'outcome', label: 'a', threshold: 0.25, outcome: 'rest', other: null },
  { kind: 'unsure', outcome: 'asked', errorRate: 0.05, scope: 'all' },
  { kind: 'unsure', outcome: 'wrong', errorRate: 0.1, scope: 'label' },
  { kind: 'one', item: 'itm_1' },
  { kind: 'slice', place: 0 },
]

describe('the place in a report', () => {
  it.each(VIEWS)('comes back from the address: $kind', (view) => {
    const place = { split: 'validation', view, item: 'itm_2' }
    expect(placeOf(new URLSearchParams(withPlace(new URLSearchParams(), place).toString()))).toEqual(place)
  })

  it('keeps what it does not know and what is not changed', () => {
    const before = new URLSearchParams('tab=report&split=test&label=a&item=itm_1')
    expect(withPlace(before, { item: null }).toString()).toBe('tab=report&split=test&label=a')
  })

  it('leaves nothing of a view that another one replaces', () => {
    const before = withPlace(new URLSearchParams(), { view: { kind: 'cell', truth: 'a', answer: 'b' } })
    expect(placeOf(withPlace(before, { view: { kind: 'label', label: 'a' } })).view).toEqual({ kind: 'label', label: 'a' })
  })
})

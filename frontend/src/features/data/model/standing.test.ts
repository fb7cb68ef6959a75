import { describe, expect, it } from 'vitest'

import type { Change } from '../api/change-items'
import { NO_FILTER } from './filter'
import { EVERYTHING, NOTHING } from './selection'
import { standingOf, takesOutOf, withStanding } from './standing'

const chosen = (...ids: string[]) => ({ ids: new Set(ids), except: null, anchor: 3 })
const at = (search: string) => standingOf(new URLSearchParams(search), null)

describe('the address of what is selected', () => {
  it('is the same when it is read again, and leaves the filter as it is', () => {
    for (const selection of [NOTHING, chosen('itm_1', 'itm_2'), { ...EVERYTHING, except: new Set(['itm_3']), anchor: 3 }]) {
      const standing = { selection, at: 3, discussed: 'itm_9' }
      const { search, state } = withStanding(new URLSearchParams('state=unlabelled&label=cat&selected=old&except=old'), standing)
      expect(standingOf(search, state)).toEqual(standing)
      expect([search.get('state'), search.get('label')]).toEqual(['unlabelled', 'cat'])
    }
  })

  it('is as it was before where nothing is to be kept', () => {
    expect(withStanding(new URLSearchParams('q=x'), { selection: NOTHING, at: 0, discussed: null }).search.toString()).toBe('q=x')
  })

  it('keeps many with the entry of the tab, for an address has its end', () => {
    const many = chosen(...Array.from({ length: 500 }, (_, index) => `itm_${index}`))
    const { search, state } = withStanding(new URLSearchParams(), { selection: many, at: 3, discussed: null })
    expect(search.toString().length).toBeLessThan(20)
    expect(standingOf(search, state).selection).toEqual(many)
  })

  it('forgets what it does not understand', () => {
    expect(at('at=-2&selected=a%20b,itm_1&discussed=%3Cb%3E')).toEqual({
      selection: { ...chosen('itm_1'), anchor: 0 },
      at: 0,
      discussed: null,
    })
  })
})

describe('takesOutOf', () => {
  const label: Change = { kind: 'label', annotations: [] }

  it('knows of labels only where the filter asks for them', () => {
    expect(takesOutOf(NO_FILTER, label)).toBe(false)
    expect(takesOutOf({ ...NO_FILTER, q: 'a', split: 'test' }, label)).toBe(false)
    expect(takesOutOf({ ...NO_FILTER, state: 'unlabelled' }, label)).toBe(true)
    expect(takesOutOf({ ...NO_FILTER, max_score: 0.5 }, label)).toBe(true)
  })

  it('knows that what is deleted or brought back is not where it was', () => {
    expect(takesOutOf(NO_FILTER, { kind: 'delete' })).toBe(true)
    expect(takesOutOf({ ...NO_FILTER, where: 'deleted' }, { kind: 'restore' })).toBe(true)
    expect(takesOutOf({ ...NO_FILTER, split: 'test' }, { kind: 'split', split: 'train' })).toBe(true)
  })
})

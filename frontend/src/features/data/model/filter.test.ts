import { describe, expect, it } from 'vitest'

import { chipsOf, filterOf, isFiltered, type ItemFilter, NO_FILTER, queryOf, searchOf } from './filter'

const full: ItemFilter = {
  where: 'quarantined',
  state: 'annotated',
  label: ['a=b & c', '猫'],
  without: ['dog'],
  split: 'test',
  by: 'person:usr_1',
  flag: 'dark',
  meta: ['site=north=2'],
  comments: 'open',
  cell: ['age>=30', 'city='],
  q: 'img',
  min_score: 0,
  max_score: 0.5,
}

describe('filter', () => {
  it('comes back from the address as it went in', () => {
    expect(filterOf(new URLSearchParams(searchOf(full).toString()))).toEqual(full)
    expect(searchOf(NO_FILTER).toString()).toBe('')
    expect(filterOf(new URLSearchParams())).toEqual(NO_FILTER)
  })

  it('leaves out what it does not understand', () => {
    expect(filterOf(new URLSearchParams('state=odd&cell=odd&split=none&where=there&meta=nothing&min_score=7&max_score=x'))).toEqual(
      NO_FILTER,
    )
  })

  it('asks for what is chosen alone', () => {
    expect(queryOf({ ...NO_FILTER, label: ['cat'], q: '  ' })).toEqual({ label: ['cat'] })
    expect(isFiltered({ ...NO_FILTER, min_score: 0 })).toBe(true)
    expect(isFiltered(NO_FILTER)).toBe(false)
  })

  it('has a chip for each condition, and taking all away leaves state and text', () => {
    const chips = chipsOf(full)
    expect(chips.map((chip) => chip.field)).toEqual([
      'where',
      'label',
      'label',
      'without',
      'meta',
      'cell',
      'cell',
      'split',
      'by',
      'flag',
      'comments',
      'min_score',
      'max_score',
    ])
    expect(chips[1]?.rest.label).toEqual(['猫'])
    let left = full
    while (chipsOf(left).length) left = chipsOf(left)[0]?.rest ?? NO_FILTER
    expect(left).toEqual({ ...NO_FILTER, state: 'annotated', q: 'img' })
  })
})

import { describe, expect, it } from 'vitest'

import { clicked, columnsFor, everything, kept, NOTHING, type Selection } from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const plain = { shift: false, toggle: false }
const shift = { shift: true, toggle: false }
const ctrl = { shift: false, toggle: true }
const ids = (selection: Selection) => [...selection.ids].sort().join('')

describe('selection', () => {
  it('a click chooses one and drops the rest', () => {
    expect(ids(clicked(everything(order), order, 'c', plain))).toBe('c')
  })

  it('ctrl-click adds and takes away', () => {
    const two = clicked(clicked(NOTHING, order, 'a', plain), order, 'd', ctrl)
    expect(ids(two)).toBe('ad')
    expect(ids(clicked(two, order, 'a', ctrl))).toBe('d')
  })

  it('shift-click takes the range from the anchor, in both directions, and the anchor stays', () => {
    const from = clicked(NOTHING, order, 'c', plain)
    const down = clicked(from, order, 'e', shift)
    expect(ids(down)).toBe('cde')
    expect(ids(clicked(down, order, 'a', shift))).toBe('abc')
  })

  it('ctrl-shift-click adds the range to what was chosen', () => {
    const start = clicked(clicked(NOTHING, order, 'a', plain), order, 'c', ctrl)
    expect(ids(clicked(start, order, 'd', { shift: true, toggle: true }))).toBe('acd')
  })

  it('shift-click without an anchor is a click', () => {
    expect(ids(clicked(NOTHING, order, 'b', shift))).toBe('b')
  })

  it('forgets what a filter hides, the anchor too', () => {
    const chosen = clicked(clicked(NOTHING, order, 'a', plain), order, 'd', ctrl)
    expect(kept(chosen, ['a', 'b'])).toEqual({ ids: new Set(['a']), anchor: null })
    expect(kept(chosen, order)).toBe(chosen)
  })
})

it('fits as many columns as have room, and at least one', () => {
  expect([100, 303, 304, 1000].map((width) => columnsFor(width, 148, 8))).toEqual([1, 1, 2, 6])
})

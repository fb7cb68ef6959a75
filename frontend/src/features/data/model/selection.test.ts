import { describe, expect, it } from 'vitest'

import { clicked, columnsFor, EVERYTHING, isChosen, NOTHING, numChosen, ranged, rangeOf, type Selection } from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const plain = { shift: false, toggle: false }
const shift = { shift: true, toggle: false }
const ctrl = { shift: false, toggle: true }
const both = { shift: true, toggle: true }
const ids = (selection: Selection) => order.filter((id) => isChosen(selection, id)).join('')

/** A click as the gallery makes it. */
function click(before: Selection, id: string, keys: { shift: boolean; toggle: boolean }): Selection {
  const place = order.indexOf(id)
  const range = rangeOf(before, place, keys)
  return range ? ranged(before, order.slice(range[0], range[1] + 1), keys) : clicked(before, place, id, keys)
}

describe('selection', () => {
  it('a click chooses one and drops the rest', () => {
    expect(ids(click(EVERYTHING, 'c', plain))).toBe('c')
  })

  it('ctrl-click adds and takes away', () => {
    const two = click(click(NOTHING, 'a', plain), 'd', ctrl)
    expect(ids(two)).toBe('ad')
    expect(ids(click(two, 'a', ctrl))).toBe('d')
  })

  it('shift-click takes the range from the anchor, in both directions, and the anchor stays', () => {
    const down = click(click(NOTHING, 'c', plain), 'e', shift)
    expect(ids(down)).toBe('cde')
    expect(ids(click(down, 'a', shift))).toBe('abc')
  })

  it('ctrl-shift-click adds the range to what was chosen', () => {
    const start = click(click(NOTHING, 'a', plain), 'c', ctrl)
    expect(ids(click(start, 'd', both))).toBe('acd')
  })

  it('shift-click without an anchor is a click', () => {
    expect(ids(click(NOTHING, 'b', shift))).toBe('b')
  })

  it('all that match are chosen without being loaded, and single ones can be taken out', () => {
    expect(numChosen(EVERYTHING, 1_000_000)).toBe(1_000_000)
    const without = click(click(EVERYTHING, 'b', ctrl), 'd', ctrl)
    expect(ids(without)).toBe('ace')
    expect(numChosen(without, 5)).toBe(3)
    expect(ids(click(without, 'b', ctrl))).toBe('abce')
  })
})

it('fits as many columns as have space, and at least one', () => {
  expect([100, 303, 304, 1000].map((width) => columnsFor(width, 148, 8))).toEqual([1, 1, 2, 6])
})

import { describe, expect, it } from 'vitest'

import { pathOf, possibleParents, withoutLabel } from './tree'

const label = (name: string, parent: string | null = null) => ({ name, parent, color: '#000000' })
const labels = [label('kitten', 'cat'), label('animal'), label('cat', 'animal'), label('stone')]

describe('tree of labels', () => {
  it('knows what stands above', () => {
    expect(pathOf(labels, 'kitten')).toEqual(['animal', 'cat'])
    expect(pathOf(labels, 'stone')).toEqual([])
  })

  it('offers no parent that would make a ring', () => {
    expect(possibleParents(labels, 'animal')).toEqual(['stone'])
    expect(possibleParents(labels, 'kitten')).toEqual(['animal', 'cat', 'stone'])
  })

  it('moves children up when a label goes', () => {
    expect(withoutLabel(labels, 'cat').map((one) => [one.name, one.parent])).toEqual([
      ['kitten', 'animal'],
      ['animal', null],
      ['stone', null],
    ])
  })
})

import { describe, expect, it } from 'vitest'

import { moved, pathOf, possibleParents, withoutLabel } from './tree'

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

  it('moves a label among the others, not beyond the ends', () => {
    const names = (name: string, step: number) => moved(labels, name, step).map((one) => one.name)
    expect(names('cat', -1)).toEqual(['kitten', 'cat', 'animal', 'stone'])
    expect(names('kitten', 1)).toEqual(['animal', 'kitten', 'cat', 'stone'])
    expect(names('kitten', -1)).toEqual(labels.map(({ name }) => name))
    expect(names('stone', 1)).toEqual(labels.map(({ name }) => name))
  })

  it('moves children up when a label goes', () => {
    expect(withoutLabel(labels, 'cat').map((one) => [one.name, one.parent])).toEqual([
      ['kitten', 'animal'],
      ['animal', null],
      ['stone', null],
    ])
  })
})

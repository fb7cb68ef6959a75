import { describe, expect, it } from 'vitest'

import { layoutDag, type Edge } from './layout'

const nodes = (...ids: string[]) => ids.map((id) => ({ id }))
const columns = (ids: string[], edges: Edge[]) =>
  Object.fromEntries(layoutDag(nodes(...ids), edges).map((placed) => [placed.node.id, placed.column]))

describe('layoutDag', () => {
  it('puts a node right of all its sources, whatever the order given', () => {
    const edges: Edge[] = [
      ['version', 'study'],
      ['study', 'trial'],
      ['version', 'trial'],
      ['trial', 'artefact'],
    ]
    expect(columns(['artefact', 'trial', 'version', 'study'], edges)).toEqual({ version: 0, study: 1, trial: 2, artefact: 3 })
  })

  it('puts what has no source beside its first use', () => {
    const edges: Edge[] = [
      ['version', 'study'],
      ['study', 'trial'],
      ['member', 'trial'],
    ]
    expect(columns(['version', 'study', 'trial', 'member'], edges)).toEqual({ version: 0, study: 1, trial: 2, member: 1 })
  })

  it('orders a column by where its sources stand', () => {
    const placed = layoutDag(nodes('a', 'b', 'of-b', 'of-a'), [
      ['a', 'of-a'],
      ['b', 'of-b'],
    ])
    const row = Object.fromEntries(placed.map((each) => [each.node.id, each.row]))
    expect(row).toEqual({ a: 0, b: 1, 'of-a': 0, 'of-b': 1 })
  })

  it('ignores edges that lead nowhere and does not hang on a cycle', () => {
    const edges: Edge[] = [
      ['x', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ]
    expect(Object.keys(columns(['a', 'b'], edges)).sort()).toEqual(['a', 'b'])
    expect(columns(['a'], [['x', 'a']])).toEqual({ a: 0 })
    expect(layoutDag([], [])).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'

import { type GraphVersion, numLanes, versionGraph } from './version-graph'

const version = (id: string, parent: string | null, branch = 'main'): GraphVersion => ({ id, parent, branch })

describe('versionGraph', () => {
  it('draws a line of versions in one lane', () => {
    const rows = versionGraph([version('c', 'b'), version('b', 'a'), version('a', null)])
    expect(rows.map((row) => row.lane)).toEqual([0, 0, 0])
    expect(rows.map((row) => row.lines.map((line) => line.half))).toEqual([['below'], ['above', 'below'], ['above']])
    expect(numLanes(rows)).toBe(1)
  })

  it('gives two children of one version a lane each, which meet at it', () => {
    const rows = versionGraph([version('d', 'a', 'other'), version('c', 'b'), version('b', 'a'), version('a', null)])
    expect(rows.map((row) => row.lane)).toEqual([0, 1, 1, 0])
    expect(rows[3]?.links).toEqual([{ lane: 1, branch: 'main' }])
    expect(rows[2]?.lines).toContainEqual({ lane: 0, branch: 'other', half: 'below' })
    expect(numLanes(rows)).toBe(2)
  })

  it('uses a lane again when its line has ended', () => {
    const rows = versionGraph([version('e', 'b'), version('d', 'b'), version('b', null), version('x', null)])
    expect(rows.map((row) => row.lane)).toEqual([0, 1, 0, 0])
  })

  it('lets the line of a version whose parent is not shown run out at the bottom', () => {
    const rows = versionGraph([version('c', 'gone'), version('b', null)])
    expect(rows[1]?.lines).toEqual([
      { lane: 0, branch: 'main', half: 'above' },
      { lane: 0, branch: 'main', half: 'below' },
    ])
    expect(rows[1]?.lane).toBe(1)
  })

  it('has no rows for no versions', () => {
    expect(versionGraph([])).toEqual([])
    expect(numLanes([])).toBe(1)
  })
})

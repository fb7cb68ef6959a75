import { describe, expect, it } from 'vitest'

import { bars, binned } from './bins'

describe('binned', () => {
  it('counts every value once between round edges', () => {
    const bins = binned([-3.2, -1, 0, 0.4, 2.9, 7], 5)
    expect(bins.counts.reduce((sum, count) => sum + count, 0)).toBe(6)
    expect(bins.edges).toHaveLength(bins.counts.length + 1)
    expect(bins.edges[0]).toBeLessThanOrEqual(-3.2)
    expect(bins.edges.at(-1)).toBeGreaterThanOrEqual(7)
    expect(bins.edges.every((edge) => Number.isInteger(edge))).toBe(true)
  })

  it('keeps the largest value where it falls on an edge', () => {
    const bins = binned([0, 5, 10], 2)
    expect(bins.counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  })

  it('puts equal values into one bin around them', () => {
    expect(binned([4, 4, 4])).toEqual({ edges: [3.5, 4.5], counts: [3] })
  })

  it('has none where there is nothing, and leaves out what is no number', () => {
    expect(binned([])).toEqual({ edges: [], counts: [] })
    expect(binned([NaN, 1]).counts).toEqual([1])
  })
})

describe('bars', () => {
  it('stand where their edges are, wide or narrow', () => {
    expect(bars({ edges: [0, 1, 4], counts: [2, 1] })).toEqual([
      { from: 0, to: 0.25, height: 1, place: 0 },
      { from: 0.25, to: 1, height: 0.5, place: 1 },
    ])
  })
})

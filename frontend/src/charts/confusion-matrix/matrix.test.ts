import { describe, expect, it } from 'vitest'

import { cellAt, matrixLayout, movedCell, rowShares, topConfusions } from './matrix'

describe('matrixLayout', () => {
  it('keeps the cells of few labels comfortable and shows their counts', () => {
    const layout = matrixLayout(3, 900, 40)
    expect(layout.cell_px).toBe(56)
    expect(layout.hasCounts).toBe(true)
    expect(layout.labelStep).toBe(1)
  })

  it('fits a hundred labels into the width and thins out their names', () => {
    const layout = matrixLayout(100, 700, 90)
    expect(layout.size_px).toBeLessThanOrEqual(700)
    expect(layout.hasCounts).toBe(false)
    expect(layout.labelStep * layout.cell_px).toBeGreaterThanOrEqual(13)
  })
})

describe('cellAt', () => {
  const layout = matrixLayout(4, 300, 30)

  it('finds the cell whose middle is given', () => {
    const middle = (index: number) => layout.gutter_px + (index + 0.5) * layout.cell_px
    expect(cellAt(layout, 4, middle(2), middle(0))).toEqual({ truth: 0, answer: 2 })
  })

  it('finds none in the gutter or behind the last cell', () => {
    expect(cellAt(layout, 4, layout.gutter_px - 1, layout.gutter_px + 1)).toBeNull()
    expect(cellAt(layout, 4, layout.size_px + 1, layout.gutter_px + 1)).toBeNull()
  })
})

describe('movedCell', () => {
  it('walks with the arrows and stops at the edge', () => {
    expect(movedCell({ truth: 0, answer: 1 }, 'ArrowDown', 3)).toEqual({ truth: 1, answer: 1 })
    expect(movedCell({ truth: 0, answer: 1 }, 'ArrowUp', 3)).toEqual({ truth: 0, answer: 1 })
    expect(movedCell({ truth: 2, answer: 0 }, 'End', 3)).toEqual({ truth: 2, answer: 2 })
  })

  it('leaves other keys to the page', () => {
    expect(movedCell({ truth: 0, answer: 0 }, 'Tab', 3)).toBeNull()
  })
})

describe('shares and mistakes', () => {
  const confusion = [
    [8, 2, 0],
    [5, 5, 0],
    [0, 0, 0],
  ]

  it('divides by the row and leaves an empty row at zero', () => {
    expect(rowShares(confusion)).toEqual([
      [0.8, 0.2, 0],
      [0.5, 0.5, 0],
      [0, 0, 0],
    ])
  })

  it('lists mistakes by count and never the diagonal', () => {
    expect(topConfusions(confusion, 5)).toEqual([
      { truth: 1, answer: 0, count: 5, share_fraction: 0.5 },
      { truth: 0, answer: 1, count: 2, share_fraction: 0.2 },
    ])
    expect(topConfusions(confusion, 1)).toHaveLength(1)
  })
})

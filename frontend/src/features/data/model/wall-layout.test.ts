import { expect, it } from 'vitest'

import { layoutOf } from './wall-layout'

it('lays pictures out as square tiles with a caption, as many as fit', () => {
  expect(layoutOf('tiles', 960)).toEqual({ columns: 6, cell_px: 153, height_px: 193, row_px: 201 })
})

it('has fewer and wider tiles in a larger size, and never one wider than the wall', () => {
  const columns = (['small', 'medium', 'large'] as const).map((size) => layoutOf('tiles', 960, size).columns)
  expect(columns).toEqual([8, 6, 3])
  const narrow = layoutOf('tiles', 200, 'large')
  expect([narrow.columns, narrow.cell_px]).toEqual([1, 200])
})

it('gives each text a line of its own, of the same height whatever the width', () => {
  const wide = layoutOf('lines', 960)
  expect([wide.columns, wide.cell_px]).toEqual([1, 960])
  expect(layoutOf('lines', 320).row_px).toBe(wide.row_px)
  const heights = (['small', 'medium', 'large'] as const).map((size) => layoutOf('lines', 960, size).height_px)
  expect(heights).toEqual([37, 58, 100])
})

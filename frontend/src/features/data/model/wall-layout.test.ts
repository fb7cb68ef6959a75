import { expect, it } from 'vitest'

import { layoutOf } from './wall-layout'

it('lays pictures out as square tiles with a caption, as many as fit', () => {
  expect(layoutOf('tiles', 960)).toEqual({ columns: 6, cell_px: 153, height_px: 193, row_px: 201 })
})

it('gives each text a line of its own, of the same height whatever the width', () => {
  const wide = layoutOf('lines', 960)
  expect([wide.columns, wide.cell_px]).toEqual([1, 960])
  expect(layoutOf('lines', 320).row_px).toBe(wide.row_px)
})

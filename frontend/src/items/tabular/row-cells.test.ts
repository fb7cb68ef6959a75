import { expect, it } from 'vitest'

import { cellsOfText } from './row-cells'

it('reads the cells of a row that came as it is kept', () => {
  expect(cellsOfText('{"cells":{"age":"41","city":"上海"}}')).toEqual({ age: '41', city: '上海' })
  expect(cellsOfText('{"cells":{"age":"41"},"copy_number":2}')).toEqual({ age: '41' })
})

it('makes nothing of what is cut off or no row', () => {
  expect([cellsOfText('{"cells":{"age":"4'), cellsOfText('a text'), cellsOfText(null)]).toEqual([null, null, null])
})

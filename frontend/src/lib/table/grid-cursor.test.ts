import { expect, it } from 'vitest'

import { movedBy } from './grid-cursor'

const size = { rows: 100, columns: 3, leap: 20 }
const from = { place: 10, column: 2 }

it.each([
  ['ArrowDown', 11, 2],
  ['ArrowUp', 9, 2],
  ['ArrowLeft', 10, 1],
  ['ArrowRight', 10, 3],
  ['PageDown', 30, 2],
  ['PageUp', 0, 2],
  ['Home', 10, 0],
  ['End', 10, 3],
])('%s leads on', (key, place, column) => {
  expect(movedBy({ key }, from, size)).toEqual({ place, column })
})

it('leads to the corners with Ctrl or Command', () => {
  expect(movedBy({ key: 'Home', ctrlKey: true }, from, size)).toEqual({ place: 0, column: 0 })
  expect(movedBy({ key: 'End', metaKey: true }, from, size)).toEqual({ place: 99, column: 3 })
  expect(movedBy({ key: 'ArrowDown', ctrlKey: true }, from, size)).toEqual({ place: 99, column: 2 })
})

it('stays inside, also of an empty table, and leaves other keys alone', () => {
  expect(movedBy({ key: 'ArrowRight' }, { place: 99, column: 3 }, size)).toEqual({ place: 99, column: 3 })
  expect(movedBy({ key: 'ArrowDown' }, { place: 0, column: 0 }, { rows: 0, columns: 0, leap: 1 })).toEqual({ place: 0, column: 0 })
  expect([movedBy({ key: 'Enter' }, from, size), movedBy({ key: 'a', ctrlKey: true }, from, size)]).toEqual([null, null])
})

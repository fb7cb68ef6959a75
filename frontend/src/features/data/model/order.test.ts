import { expect, it } from 'vitest'

import { directionOf, orderOf, withOrder } from './order'

it('comes back from the address as it went in, and leaves the filter alone', () => {
  const search = new URLSearchParams('q=x&order=name')
  for (const order of [null, 'newest', { column: 'a & b', isDescending: true }, { column: 'age', isDescending: false }] as const) {
    const after = withOrder(search, order)
    expect(orderOf(new URLSearchParams(after.toString()))).toEqual(order)
    expect(after.get('q')).toBe('x')
  }
  expect(withOrder(withOrder(search, { column: 'age', isDescending: true }), null).toString()).toBe('q=x')
  expect(orderOf(new URLSearchParams('order=cell'))).toBeNull()
})

it('tells of each column how the rows stand by it', () => {
  expect(directionOf({ column: 'age', isDescending: true }, 'age')).toBe('descending')
  expect(directionOf({ column: 'age', isDescending: false }, 'city')).toBeNull()
  expect(directionOf('name', 'name')).toBeNull()
})

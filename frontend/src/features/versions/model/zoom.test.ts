import { expect, it } from 'vitest'

import { panned, viewOf, whole, zoomed } from './zoom'

const picture = { width: 200, height: 100 }

it('comes nearer about a point, and never leaves the picture', () => {
  expect(zoomed(whole(picture), 2, picture)).toEqual({ x: 50, y: 25, width: 100, height: 50 })
  expect(zoomed(whole(picture), 2, picture, { x: 0, y: 0 })).toEqual({ x: 0, y: 0, width: 100, height: 50 })
  expect(zoomed({ x: 50, y: 25, width: 100, height: 50 }, 0.1, picture)).toEqual(whole(picture))
  expect(zoomed(whole(picture), 1e6, picture).width).toBe(5)
})

it('moves by parts of what is seen, up to the edge', () => {
  const near = { x: 50, y: 25, width: 100, height: 50 }
  expect(panned(near, [0.1, -0.1], picture)).toEqual({ ...near, x: 60, y: 20 })
  expect(panned(near, [9, 9], picture)).toEqual({ ...near, x: 100, y: 50 })
})

it('looks at what changed in the shape of the picture', () => {
  expect(viewOf([], picture)).toEqual(whole(picture))
  expect(viewOf([{ x: 90, y: 40, width: 10, height: 25 }], picture)).toEqual({ x: 57.5, y: 33.75, width: 75, height: 37.5 })
  expect(viewOf([whole(picture)], picture)).toEqual(whole(picture))
})

import { expect, it } from 'vitest'

import { panned, WHOLE, zoomedAbout } from './zoom'

const BOX = { width: 400, height: 300 }

it('keeps what lies under the pointer there', () => {
  const near = zoomedAbout(WHOLE, 4, { x: 100, y: 150 }, BOX)
  expect(near).toEqual({ scale: 4, x: -300, y: -450 })
  const nearer = zoomedAbout(near, 2, { x: 200, y: 30 }, BOX)
  // The picture's point under (200, 30) before and after.
  expect([(200 - nearer.x) / nearer.scale, (30 - nearer.y) / nearer.scale]).toEqual([125, 120])
})

it('never shows less than the whole, nor what lies beside it', () => {
  expect(zoomedAbout(zoomedAbout(WHOLE, 8, { x: 5, y: 5 }, BOX), 0.01, { x: 390, y: 290 }, BOX)).toEqual(WHOLE)
  const near = zoomedAbout(WHOLE, 2, { x: 0, y: 0 }, BOX)
  expect(panned(near, { x: 50, y: -1000 }, BOX)).toEqual({ scale: 2, x: 0, y: -300 })
})

import { expect, it } from 'vitest'

import type { MaskObject, PolygonPart } from '../object'
import { fillPart } from '../shapes/mask/fill'
import { MaskTiles } from '../shapes/mask/tiles'
import { withTiles } from '../shapes/mask/shape'
import { TestEditor } from '../test-editor'
import { polygonOf, ringsOf } from './outline'

const maskOf = (tiles: MaskTiles): MaskObject =>
  withTiles({ kind: 'mask', id: 'one', label: 'cat', width: tiles.width, height: tiles.height, counts: '' }, tiles)

const filled = (parts: readonly PolygonPart[]): MaskTiles => {
  const tiles = new MaskTiles(300, 200)
  for (const part of parts) fillPart(tiles, part)
  return tiles
}

it('goes around what is set, and around holes the other way', () => {
  const tiles = new MaskTiles(300, 200)
  for (let x = 10; x < 20; x += 1) tiles.setRun(x, 10, 30)
  for (let x = 13; x < 16; x += 1) tiles.setRun(x, 15, 20, 0)
  expect(ringsOf(tiles).map((ring) => ring.length)).toEqual([4, 4])
  expect(polygonOf(maskOf(tiles), 0.5).parts).toEqual([
    {
      points: expect.arrayContaining([
        [10, 10],
        [20, 10],
        [20, 30],
        [10, 30],
      ]) as unknown,
      holes: [expect.arrayContaining([[13, 15]]) as unknown],
    },
  ])
})

it('keeps pixels apart that touch at a corner', () => {
  const tiles = new MaskTiles(300, 200)
  tiles.setRun(5, 5, 6)
  tiles.setRun(6, 6, 7)
  tiles.setRun(7, 5, 6)
  expect(ringsOf(tiles)).toHaveLength(3)
})

it('fills the same pixels again, across tiles, to the tolerance', () => {
  const tiles = new MaskTiles(300, 200)
  tiles.stroke({ x: 60, y: 60 }, { x: 240, y: 140 }, 40, 1)
  tiles.beginStroke()
  tiles.stroke({ x: 150, y: 100 }, { x: 160, y: 100 }, 12, 0)
  const polygon = polygonOf(maskOf(tiles), 1)
  const again = filled(polygon.parts)
  let [both, either] = [0, 0]
  for (let x = 0; x < 300; x += 1) {
    for (let y = 0; y < 200; y += 1) {
      if (tiles.has(x, y) && again.has(x, y)) both += 1
      if (tiles.has(x, y) || again.has(x, y)) either += 1
    }
  }
  expect(both / either).toBeGreaterThan(0.97)
  expect(polygon.parts[0]?.holes).toHaveLength(1)
  expect(polygon.parts[0]?.points.length).toBeLessThan(60)
})

it('makes polygons of chosen masks in one step, and keeps their other fields', () => {
  const editor = new TestEditor()
  editor.brushRadius = 30
  editor.press('tool_mask').drag([100, 100], [200, 100])
  editor.press('to_polygon')
  expect(editor.only('polygon').label).toBe('cat')
  editor.press('undo')
  expect(editor.only('mask').kind).toBe('mask')
})

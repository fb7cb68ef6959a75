import { expect, test } from 'vitest'

import { MaskTiles } from '../../canvas/shapes/mask/tiles'
import { areaOf, pathOf, placeIn, sizeOf, stepFor, withoutCovered } from '../areas'
import { hasAreas, maskJudgement, meanOverlap } from './judgement'

const SIDES = { width_px: 8, height_px: 4 }

function mask(label: string, from: number, to: number) {
  const tiles = new MaskTiles(SIDES.width_px, SIDES.height_px)
  for (let x = from; x < to; x += 1) tiles.setRun(x, 0, SIDES.height_px)
  return { kind: 'mask' as const, label, width: SIDES.width_px, height: SIDES.height_px, counts: tiles.counts() }
}

const outline = (label: string, from: number, to: number) => ({
  kind: 'polygon' as const,
  label,
  points: [
    [from, 0],
    [to, 0],
    [to, SIDES.height_px],
    [from, SIDES.height_px],
  ] as [number, number][],
  holes: [],
})

test('marks each cell whether it was found, missed, imagined or given another label', () => {
  const item = { truth: [mask('cat', 0, 4), outline('dog', 4, 6)], prediction: [mask('cat', 1, 5), mask('dog', 5, 7)] }
  const { shares, labels } = maskJudgement(item, SIDES, true)
  expect(shares).toEqual({ found: 4 / 8, missed: 1 / 8, false: 1 / 8, other: 1 / 8 })
  expect(labels).toEqual([
    { label: 'cat', overlap_fraction: 3 / 5 },
    { label: 'dog', overlap_fraction: 1 / 3 },
  ])
  expect(meanOverlap(labels)).toBeCloseTo((3 / 5 + 1 / 3) / 2)
})

test('an area that comes later lies over those before it', () => {
  const item = { truth: [mask('cat', 0, 8), mask('dog', 0, 8)], prediction: [mask('dog', 0, 8)] }
  expect(maskJudgement(item, SIDES, true).shares.found).toBe(1)
})

test('knows a picture without any area', () => {
  expect(hasAreas({ truth: [], prediction: [] })).toBe(false)
  expect(hasAreas({ truth: [mask('cat', 0, 1)], prediction: [] })).toBe(true)
})

test('draws the border of an area in pixels of the picture, and finds a place in it', () => {
  const area = areaOf(mask('cat', 2, 6), SIDES, 2)
  if (!area) throw new Error('a mask covers something')
  expect([sizeOf(area), pathOf(area, 2), placeIn(area, 2)]).toEqual([4, 'M2 0L6 0L6 4L2 4z', { x: 3, y: 2 }])
  expect(areaOf({ kind: 'box', label: 'cat' }, SIDES, 2)).toBeNull()
  expect([stepFor({ width_px: 4000, height_px: 3000 }, true), stepFor(SIDES, false)]).toEqual([7, 1])
})

test('what lies in an ignored area is neither right nor wrong', () => {
  const item = { truth: [mask('cat', 0, 4), mask('__ignore__', 2, 6)], prediction: [mask('cat', 0, 2), mask('dog', 3, 8)] }
  const { shares, labels, ignored } = maskJudgement(item, SIDES, true)
  expect(shares).toEqual({ found: 2 / 4, missed: 0, false: 2 / 4, other: 0 })
  expect(sizeOf(ignored)).toBe(4 * SIDES.height_px)
  expect(labels).toEqual([
    { label: 'cat', overlap_fraction: 1 },
    { label: 'dog', overlap_fraction: 0 },
  ])
})

test('of areas that overlap the later one is seen', () => {
  const areas = [mask('cat', 0, 6), mask('dog', 4, 8), mask('bird', 4, 5)].map((one) => ({ area: areaOf(one, SIDES, 1) as MaskTiles }))
  expect(withoutCovered(areas).map(({ area }) => sizeOf(area) / SIDES.height_px)).toEqual([4, 3, 1])
  expect(areas.map(({ area }) => sizeOf(area) / SIDES.height_px)).toEqual([6, 4, 1])
})

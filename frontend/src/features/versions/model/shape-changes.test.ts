import { describe, expect, it } from 'vitest'

import { textFrom } from '../../../canvas/shapes/mask/rle'
import type { Label } from '../../../lib/api/types'
import { boundsOf, outlineOf, overlapOf } from '../../../canvas/annotation-outline'
import { changeGroups, shapeChanges } from './shape-changes'

const box = (label: string, x: number, y = 0, size = 10) => ({ kind: 'box', label, x, y, width: size, height: size })
const changesOf = (before: object[] | null, gone: number[], after: object[] | null, come: number[]) =>
  shapeChanges(
    { annotations: before as Parameters<typeof shapeChanges>[0]['annotations'], different: gone },
    { annotations: after as Parameters<typeof shapeChanges>[0]['annotations'], different: come },
  )

const triangle = (label: string, x: number) => ({
  kind: 'polygon',
  label,
  points: [
    [x, 0],
    [x + 12, 0],
    [x, 12],
  ],
})

/** A square of pixels on a picture of 8 x 8, one of which may be missing in its middle. */
function mask(label: string, at: number, size: number, hasHole = false) {
  const isSet = (x: number, y: number) => x >= at && y >= at && x < at + size && y < at + size && !(hasHole && x === at + 2 && y === at + 2)
  const runs: number[] = [0]
  for (let place = 0, value = false; place < 64; place += 1) {
    if (isSet(Math.floor(place / 8), place % 8) !== value) {
      value = !value
      runs.push(0)
    }
    runs[runs.length - 1] = (runs.at(-1) ?? 0) + 1
  }
  return { kind: 'mask', label, width: 8, height: 8, counts: textFrom(runs) }
}

const keypoints = (x: number) => ({
  kind: 'keypoints',
  label: 'person',
  points: [
    { name: 'head', x, y: 0, visibility: 2 },
    { name: 'foot', x: x + 10, y: 20, visibility: 1 },
    { name: 'hand', x: 0, y: 0, visibility: 0 },
  ],
})
const person = {
  name: 'person',
  skeleton: {
    edges: [
      { start: 'head', end: 'foot' },
      { start: 'head', end: 'hand' },
    ],
  },
} as unknown as Label

describe('shapeChanges', () => {
  it.each([
    ['polygon', triangle('leaf', 0), triangle('leaf', 1), triangle('leaf', 40)],
    ['mask', mask('leaf', 0, 4), mask('leaf', 1, 4), mask('leaf', 6, 2)],
    ['key points', keypoints(0), keypoints(2), keypoints(60)],
  ])('tells a %s that was changed from one that came', (_, old, now, other) => {
    const shapes = changesOf([old], [0], [now, other], [0, 1])
    expect(shapes.map(({ change, side }) => `${change} ${side}`)).toEqual(['changed before', 'changed after', 'added after'])
  })

  it('distinguishes a box that was moved from one that came and one that went', () => {
    const shapes = changesOf([box('car', 0), box('bus', 50)], [0, 1], [box('car', 2), box('van', 90)], [0, 1])
    expect(shapes.map(({ change, side, words }) => `${change} ${side} ${words}`)).toEqual([
      'changed before car',
      'changed after car',
      'removed before bus',
      'added after van',
    ])
  })

  it('shows both labels where one took the place of another on the same object', () => {
    const shapes = changesOf([box('car', 0)], [0], [box('bus', 0)], [0])
    expect(changeGroups(shapes)).toEqual([{ change: 'changed', words: 'car → bus', count: 1 }])
  })

  it('goes by the id of an object before it goes by what overlaps', () => {
    const shapes = changesOf([{ ...box('car', 0), id: 'a' }], [0], [box('car', 1), { ...box('car', 80), id: 'a' }], [0, 1])
    expect(shapes.filter(({ change }) => change === 'changed').map(({ lines }) => lines[0]?.[0])).toEqual([
      [0, 0],
      [80, 0],
    ])
    expect(changeGroups(shapes).map(({ change }) => change)).toEqual(['added', 'changed'])
  })

  it('pairs each box once, those that overlap most first', () => {
    const shapes = changesOf([box('car', 0), box('car', 4)], [0, 1], [box('car', 4.5), box('car', 30)], [0, 1])
    expect(changeGroups(shapes)).toEqual([
      { change: 'added', words: 'car', count: 1 },
      { change: 'removed', words: 'car', count: 1 },
      { change: 'changed', words: 'car', count: 1 },
    ])
  })

  it('counts once what stands on both sides, and draws nothing of what belongs to the whole item', () => {
    const shapes = changesOf([box('car', 0), { kind: 'class', label: 'day' }], [1], [box('car', 0), { kind: 'class', label: 'night' }], [1])
    expect(shapes).toHaveLength(2)
    expect(changeGroups(shapes)).toEqual([{ change: 'same', words: 'car', count: 1 }])
    expect(changesOf(null, [], [box('car', 0)], [0]).map(({ change }) => change)).toEqual(['added'])
  })
})

describe('outlineOf', () => {
  it('turns a rotated box about its centre', () => {
    const outline = outlineOf({ kind: 'rotated_box', label: 'a', center_x: 10, center_y: 10, width: 8, height: 4, angle_deg: 90 })
    const { x, y, width, height } = boundsOf(outline ?? { lines: [], isClosed: true })
    expect([x, y, width, height].map((value) => Math.round(value * 1000) / 1000)).toEqual([8, 6, 4, 8])
  })

  it('keeps a line open', () => {
    expect(
      outlineOf({
        kind: 'polyline',
        points: [
          [0, 0],
          [5, 5],
        ],
      })?.isClosed,
    ).toBe(false)
  })

  it('draws a polygon with its holes, which lie within its bounds', () => {
    const hole = [
      [2, 2],
      [4, 2],
      [3, 4],
    ]
    const outline = outlineOf({ ...triangle('a', 0), holes: [hole] })
    expect([outline?.lines.length, outline?.lines[1], outline?.isClosed]).toEqual([2, hole, true])
    expect(outline && boundsOf(outline)).toEqual({ x: 0, y: 0, width: 12, height: 12 })
  })

  it('draws the border of a mask, hole and all, and nothing of one without pixels', () => {
    const outline = outlineOf(mask('a', 1, 5))
    expect(outline && boundsOf(outline)).toEqual({ x: 1, y: 1, width: 5, height: 5 })
    expect([outline?.isFilled, outline?.lines.length]).toEqual([true, 1])
    const ring = outlineOf(mask('a', 1, 5, true))
    expect(ring?.lines.map((line) => boundsOf({ lines: [line], isClosed: true }).width)).toEqual([5, 1])
    expect(outlineOf({ kind: 'mask', label: 'a', width: 8, height: 8, ...{ counts: textFrom([64]) } })).toBeNull()
  })

  it('draws key points that are there, with the lines of their skeleton', () => {
    const outline = outlineOf(keypoints(0), person)
    expect(outline?.dots).toEqual([
      { at: [0, 0], isSeen: true },
      { at: [10, 20], isSeen: false },
    ])
    expect(outline?.lines).toEqual([
      [
        [0, 0],
        [10, 20],
      ],
    ])
    expect(outlineOf(keypoints(0))?.lines).toEqual([])
  })
})

it('shows how much two boxes cover together', () => {
  const one = { x: 0, y: 0, width: 10, height: 10 }
  expect([overlapOf(one, one), overlapOf(one, { ...one, x: 5 }), overlapOf(one, { ...one, x: 20 })]).toEqual([1, 1 / 3, 0])
})

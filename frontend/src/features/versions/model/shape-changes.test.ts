import { describe, expect, it } from 'vitest'

import { boundsOf, outlineOf, overlapOf } from './outline'
import { changeGroups, shapeChanges } from './shape-changes'

const box = (label: string, x: number, y = 0, size = 10) => ({ kind: 'box', label, x, y, width: size, height: size })
const told = (before: object[] | null, gone: number[], after: object[] | null, come: number[]) =>
  shapeChanges(
    { annotations: before as Parameters<typeof shapeChanges>[0]['annotations'], different: gone },
    { annotations: after as Parameters<typeof shapeChanges>[0]['annotations'], different: come },
  )

describe('shapeChanges', () => {
  it('tells a box that was moved from one that came and one that went', () => {
    const shapes = told([box('car', 0), box('bus', 50)], [0, 1], [box('car', 2), box('van', 90)], [0, 1])
    expect(shapes.map(({ change, side, words }) => `${change} ${side} ${words}`)).toEqual([
      'changed before car',
      'changed after car',
      'removed before bus',
      'added after van',
    ])
  })

  it('says both labels where one took the place of another on the same object', () => {
    const shapes = told([box('car', 0)], [0], [box('bus', 0)], [0])
    expect(changeGroups(shapes)).toEqual([{ change: 'changed', words: 'car → bus', count: 1 }])
  })

  it('goes by the id of an object before it goes by what overlaps', () => {
    const shapes = told([{ ...box('car', 0), id: 'a' }], [0], [box('car', 1), { ...box('car', 80), id: 'a' }], [0, 1])
    expect(shapes.filter(({ change }) => change === 'changed').map(({ points }) => points[0])).toEqual([
      [0, 0],
      [80, 0],
    ])
    expect(changeGroups(shapes).map(({ change }) => change)).toEqual(['added', 'changed'])
  })

  it('pairs each box once, those that overlap most first', () => {
    const shapes = told([box('car', 0), box('car', 4)], [0, 1], [box('car', 4.5), box('car', 30)], [0, 1])
    expect(changeGroups(shapes)).toEqual([
      { change: 'added', words: 'car', count: 1 },
      { change: 'removed', words: 'car', count: 1 },
      { change: 'changed', words: 'car', count: 1 },
    ])
  })

  it('counts once what stands on both sides, and draws nothing of what belongs to the whole item', () => {
    const shapes = told([box('car', 0), { kind: 'class', label: 'day' }], [1], [box('car', 0), { kind: 'class', label: 'night' }], [1])
    expect(shapes).toHaveLength(2)
    expect(changeGroups(shapes)).toEqual([{ change: 'same', words: 'car', count: 1 }])
    expect(told(null, [], [box('car', 0)], [0]).map(({ change }) => change)).toEqual(['added'])
  })
})

describe('outlineOf', () => {
  it('turns a rotated box about its centre', () => {
    const outline = outlineOf({ kind: 'rotated_box', label: 'a', center_x: 10, center_y: 10, width: 8, height: 4, angle_deg: 90 })
    const { x, y, width, height } = boundsOf(outline ?? { points: [], isClosed: true })
    expect([x, y, width, height].map((value) => Math.round(value * 1000) / 1000)).toEqual([8, 6, 4, 8])
  })

  it('keeps a line open and knows nothing of a mask', () => {
    expect(
      outlineOf({
        kind: 'polyline',
        points: [
          [0, 0],
          [5, 5],
        ],
      })?.isClosed,
    ).toBe(false)
    expect(outlineOf({ kind: 'mask', label: 'a', width: 4, height: 4 })).toBeNull()
  })
})

it('says how much two boxes cover together', () => {
  const one = { x: 0, y: 0, width: 10, height: 10 }
  expect([overlapOf(one, one), overlapOf(one, { ...one, x: 5 }), overlapOf(one, { ...one, x: 20 })]).toEqual([1, 1 / 3, 0])
})

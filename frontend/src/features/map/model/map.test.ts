import { describe, expect, it } from 'vitest'

import type { MapData } from '../api/get-map'
import { fit, MAX_ZOOM, pan, resized, toMap, toPage, zoom } from './camera'
import { coloringOf, NO_LABEL } from './coloring'
import { distinctColors, hex } from './distinct-colors'
import { discOffsets, littleEndian, paint } from './paint'
import { inLasso, inRectangle, nearest, neighbour, pointsOf } from './points'

const SIZE = { width: 800, height: 600 }
const all = () => true

describe('camera', () => {
  it('shows the whole map in the middle', () => {
    const camera = fit(SIZE)
    expect(toPage(camera, 0.5, 0.5)).toEqual([400, 300])
    const [left, top] = toPage(camera, 0, 0)
    expect(left).toBeGreaterThan(0)
    expect(top).toBeGreaterThan(0)
  })

  it('zooms about the pointer and comes back', () => {
    const camera = zoom(fit(SIZE), 3, 120, 90, SIZE)
    const before = toMap(fit(SIZE), 120, 90)
    expect(toMap(camera, 120, 90)[0]).toBeCloseTo(before[0], 9)
    expect(toMap(camera, 120, 90)[1]).toBeCloseTo(before[1], 9)
    expect(zoom(camera, 1 / 3, 120, 90, SIZE).left).toBeCloseTo(fit(SIZE).left, 6)
  })

  it('has an end on both sides', () => {
    expect(zoom(fit(SIZE), 1e9, 0, 0, SIZE).scale).toBe(fit(SIZE).scale * MAX_ZOOM)
    expect(zoom(fit(SIZE), 1e-9, 0, 0, SIZE).scale).toBe(fit(SIZE).scale / 2)
  })

  it('keeps what is in the middle there when the page changes its size', () => {
    const camera = pan(zoom(fit(SIZE), 5, 300, 300, SIZE), 40, -20)
    const after = { width: 500, height: 900 }
    const before = toMap(camera, 400, 300)
    const now = toMap(resized(camera, SIZE, after), 250, 450)
    expect(now[0]).toBeCloseTo(before[0], 9)
    expect(now[1]).toBeCloseTo(before[1], 9)
  })
})

/** Points from a seed, as the server sends them. */
function some(count: number) {
  let state = 7
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state % 65536
  }
  const x = Array.from({ length: count }, next)
  const y = Array.from({ length: count }, next)
  return pointsOf({ items: x.map((_, index) => `itm_${index}`), x, y })
}

describe('points', () => {
  it('finds the nearest as a look at all of them does', () => {
    const points = some(3000)
    for (const [x, y] of [
      [0.5, 0.5],
      [0.01, 0.99],
      [1, 0],
      [0.333, 0.777],
    ] as const) {
      const distances = [...points.x].map((px, index) => Math.hypot(px - x, (points.y[index] ?? 0) - y))
      const least = Math.min(...distances)
      expect(nearest(points, x, y, 0.2, all)).toBe(distances.indexOf(least))
      expect(nearest(points, x, y, least / 2, all)).toBe(-1)
      expect(nearest(points, x, y, 0.2, (index) => index !== distances.indexOf(least))).not.toBe(distances.indexOf(least))
    }
  })

  it('takes what is inside a rectangle and a lasso, and nothing else', () => {
    const points = some(3000)
    const inside = [...points.x.keys()].filter((index) => (points.x[index] ?? 0) >= 0.2 && (points.x[index] ?? 0) <= 0.4)
    expect(inRectangle(points, 0.2, 0, 0.4, 1, all)).toEqual(inside)
    const triangle = [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const
    const below = [...points.x.keys()].filter((index) => (points.x[index] ?? 0) + (points.y[index] ?? 0) < 1)
    expect(inLasso(points, triangle, all)).toEqual(below)
    expect(inLasso(points, triangle.slice(0, 2), all)).toEqual([])
    expect(inLasso(points, triangle, (index) => index % 2 === 0).every((index) => index % 2 === 0)).toBe(true)
  })

  it('leaves the hole of a lasso that crosses itself', () => {
    const points = pointsOf({ items: ['a', 'b'], x: [32768, 6554], y: [32768, 6554] })
    const twice = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
      [0.25, 0.25],
      [0.75, 0.25],
      [0.75, 0.75],
      [0.25, 0.75],
      [0.25, 0.25],
    ] as const
    expect(inLasso(points, twice, all)).toEqual([1])
  })

  it('walks to the side that an arrow points to', () => {
    const points = pointsOf({
      items: ['m', 'r', 'l', 'u', 'far'],
      x: [30000, 40000, 20000, 31000, 65000],
      y: [30000, 31000, 30500, 10000, 30000],
    })
    expect(neighbour(points, 0, 1, 0, all)).toBe(1)
    expect(neighbour(points, 0, -1, 0, all)).toBe(2)
    expect(neighbour(points, 0, 0, -1, all)).toBe(3)
    expect(neighbour(points, 0, 0, 1, all)).toBe(-1)
    expect(neighbour(points, 0, 1, 0, (index) => index !== 1)).toBe(4)
  })
})

const DATA = {
  labels: ['rose', 'tulip'],
  splits: ['train', 'validation', 'test'],
  flags: ['blurred'],
  items: ['a', 'b', 'c', 'd'],
  label: [1, -2, -1, 1],
  split: [0, 2, 0, 0],
  flag: [-1, 0, -1, -1],
  suggestion: [-1, 0, -1, -1],
} as unknown as MapData

const PALETTE = { label: (name: string) => `#${name}`, series: (index: number) => `#s${index}`, grey: '#g', faint: '#f' }

describe('coloring', () => {
  it('counts what is there, labels first, the unlabelled last', () => {
    const { legend, classes } = coloringOf(DATA, 'label', PALETTE)
    expect(legend.map(({ name, count }) => [name, count])).toEqual([
      ['tulip', 2],
      [NO_LABEL, 1],
      ['legend.unlabelled', 1],
    ])
    expect([...classes]).toEqual([0, 2, 1, 0])
  })

  it.each(['suggestion', 'state', 'split', 'flag'] as const)('gives every picture a class of the legend by %s', (by) => {
    const { legend, classes } = coloringOf(DATA, by, PALETTE)
    legend.forEach((entry, place) => expect([...classes].filter((one) => one === place)).toHaveLength(entry.count))
    expect(legend.reduce((sum, entry) => sum + entry.count, 0)).toBe(4)
  })

  it('keeps a colour that only one label has and gives the others one of their own', () => {
    const labels = [
      { name: 'a', color: '#111111' },
      { name: 'b', color: '#222222' },
      { name: 'c', color: '#222222' },
    ]
    const found = distinctColors(['a', 'b', 'c'], labels, 'light')
    expect(found.get('a')).toBe('#111111')
    expect(new Set(found.values()).size).toBe(3)
    expect([hex(0, 1, 0.5), hex(120, 1, 0.5), hex(240, 1, 0.25)]).toEqual(['#ff0000', '#00ff00', '#000080'])
  })
})

describe('paint', () => {
  it('writes colours and discs as an image wants them', () => {
    expect(littleEndian('#102030')).toBe(0xff302010)
    expect(discOffsets(1)).toHaveLength(5)
    expect(discOffsets(2)).toHaveLength(13)
  })
})

it('paints what is labelled over what is not', () => {
  const filled: string[] = []
  const context = new Proxy({} as Record<string, unknown>, {
    get: (kept, name) => (name === 'fill' ? () => filled.push(String(kept.fillStyle)) : (kept[name as string] ?? (() => undefined))),
  })
  const items = ['a', 'b', 'c']
  paint(context as unknown as CanvasRenderingContext2D, {
    points: pointsOf({ items, x: [0.5, 0.5, 0.5], y: [0.5, 0.5, 0.5] }),
    camera: fit(SIZE),
    size: SIZE,
    ratio: 1,
    classes: Uint16Array.from([0, 1, 2]),
    colors: ['#label', '#other', '#unlabelled'],
    isHidden: [false, false, false],
    selected: new Set(),
    active: -1,
    lasso: [],
    ink: '#ink',
    ground: '#ground',
    hasThumbnails: false,
    thumbnail: () => null,
  })
  expect(filled).toEqual(['#unlabelled', '#other', '#label'])
})

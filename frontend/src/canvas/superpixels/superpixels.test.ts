import { expect, it } from 'vitest'

import type { Size } from '../coordinates'
import { tilesOf } from '../shapes/mask/shape'
import { MaskTiles } from '../shapes/mask/tiles'
import { TestEditor } from '../test-editor'
import { Cells } from './cells'
import { type Pixels, superpixelsOf } from './slic'
import { COPY_PX, Superpixels } from './superpixels'

const SIZE = { width: 120, height: 90 }
const RED = [200, 40, 40]
const BLUE = [40, 60, 190]

const isInDisc = (x: number, y: number) => Math.hypot(x - 62, y - 41) < 27

/** A disc of one colour on another, with noise that is the same each time. */
function picture({ width, height }: Size = SIZE): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at += 1) {
    const color = isInDisc(at % width, Math.floor(at / width)) ? RED : BLUE
    const noise = ((at * 7919) % 23) - 11
    data.set([...color.map((value) => value + noise), 255], at * 4)
  }
  return { width, height, data }
}

it('gives every pixel a superpixel, of about the size asked for', () => {
  const { labels, count } = superpixelsOf(picture(), 10)
  const areas = new Array<number>(count).fill(0)
  for (const label of labels) areas[label] = (areas[label] as number) + 1
  expect(areas.reduce((sum, area) => sum + area)).toBe(SIZE.width * SIZE.height)
  expect(count).toBeGreaterThan(80)
  expect(count).toBeLessThan(140)
  expect(Math.min(...areas)).toBeGreaterThanOrEqual(25)
})

it('keeps each superpixel in one piece', () => {
  const { labels, count } = superpixelsOf(picture(), 10)
  const seen = new Uint8Array(labels.length)
  const begun = new Set<number>()
  labels.forEach((label, start) => {
    if (seen[start]) return
    expect(begun.has(label), `superpixel ${label} is in two pieces`).toBe(false)
    begun.add(label)
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen[at]) continue
      seen[at] = 1
      const x = at % SIZE.width
      for (const to of [x > 0 ? at - 1 : -1, x < SIZE.width - 1 ? at + 1 : -1, at - SIZE.width, at + SIZE.width]) {
        if (labels[to] === label && !seen[to]) open.push(to)
      }
    }
  })
  expect(begun.size).toBe(count)
})

it('follows the edge between two colours, and does the same each time', () => {
  const { labels, count } = superpixelsOf(picture(), 10)
  const inside = new Array<number>(count).fill(0)
  const areas = new Array<number>(count).fill(0)
  labels.forEach((label, at) => {
    areas[label] = (areas[label] as number) + 1
    if (isInDisc(at % SIZE.width, Math.floor(at / SIZE.width))) inside[label] = (inside[label] as number) + 1
  })
  const astray = areas.reduce((sum, area, cell) => sum + Math.min(inside[cell] as number, area - (inside[cell] as number)), 0)
  expect(astray / labels.length).toBeLessThan(0.003)
  expect(superpixelsOf(picture(), 10).labels).toEqual(labels)
  expect(superpixelsOf(picture({ width: 1, height: 3 }), 10).count).toBe(1)
})

it('divides a larger picture without gaps and overlaps, and knows borders and what a way passes', () => {
  const large = { width: 293, height: 211 }
  const cells = new Cells(large, SIZE, superpixelsOf(picture(), 20))
  const all = new MaskTiles(large.width, large.height)
  let area = 0
  for (let cell = 0; cell < cells.count; cell += 1) {
    const one = cells.area(cell)
    area += one.area
    all.add(one)
    const bounds = one.bounds()
    expect(bounds && one.has(bounds.minX, bounds.minY) && cells.at({ x: bounds.minX + 0.5, y: bounds.minY + 0.5 }) !== cell).toBeFalsy()
  }
  expect([area, all.area]).toEqual([large.width * large.height, large.width * large.height])
  cells.forEachBorder({ minX: 0, minY: 0, maxX: large.width, maxY: large.height }, (fromX, fromY, toX, toY) => {
    const [x, y] = [(fromX + toX) / 2, (fromY + toY) / 2]
    const [here, there] =
      fromX === toX
        ? [
            { x: x - 0.5, y },
            { x, y },
          ]
        : [
            { x, y: y - 0.5 },
            { x, y },
          ]
    expect(cells.at(here)).not.toBe(cells.at(there))
  })
  const way = cells.along({ x: 5, y: 5 }, { x: 280, y: 200 })
  expect([way[0], way.at(-1)]).toEqual([cells.at({ x: 5, y: 5 }), cells.at({ x: 280, y: 200 })])
  expect(way.length).toBeGreaterThan(8)
  expect(cells.along({ x: -20, y: 5 }, { x: -5, y: 5 })).toEqual([])
})

async function begun() {
  const asked: number[] = []
  const editor = new TestEditor({ picture: { width: 2 * SIZE.width, height: 2 * SIZE.height } })
  const source = { ...editor.viewport.picture, copy: picture }
  editor.setSuperpixels(
    new Superpixels(source, (pixels, spacing) => {
      asked.push(spacing)
      return Promise.resolve(superpixelsOf(pixels, spacing))
    }),
  )
  editor.press('tool_superpixels')
  await new Promise((done) => setTimeout(done))
  const cells = editor.superpixels?.cells
  if (!cells) throw new Error('no superpixels')
  return { editor, cells, asked }
}

it('lights one up, paints what a drag passes and wipes with Alt, one step each', async () => {
  const { editor, cells } = await begun()
  editor.move(120, 75)
  expect(editor.preview).toMatchObject({ kind: 'superpixel', lit: { label: 'cat' }, isErasing: false })
  editor.drag([120, 75], [190, 75])
  const painted = editor.only('mask')
  expect(painted).toMatchObject({ label: 'cat', drawn_with: 'superpixels' })
  const passed = cells.along({ x: 120, y: 75 }, { x: 190, y: 75 })
  expect(passed.length).toBeGreaterThan(4)
  expect(tilesOf(painted).area).toBe(passed.reduce((sum, cell) => sum + cells.area(cell).area, 0))
  editor.click(120, 75, { alt: true })
  expect(tilesOf(editor.only('mask')).has(120, 75)).toBe(false)
  expect(editor.all).toHaveLength(1)
  editor.press('undo')
  expect(tilesOf(editor.only('mask')).counts()).toBe(tilesOf(painted).counts())
  editor.press('undo')
  expect(editor.all).toEqual([])
  editor.down(120, 75).press('escape')
  expect([editor.all, editor.tool.name]).toEqual([[], 'superpixels'])
})

it('computes a size once, on a copy, and of many that are asked for only the last', async () => {
  const { editor, asked } = await begun()
  const first = editor.superpixels?.cells
  editor.press('brush_larger', 'brush_larger', 'brush_larger')
  await new Promise((done) => setTimeout(done))
  expect(asked).toHaveLength(3) // the first that was asked for was begun
  editor.superpixels?.prepare(1 / 36)
  expect([asked.length, editor.superpixels?.cells === first]).toEqual([3, true])
  const sizes: Size[] = []
  const copy = (size: Size) => (sizes.push(size), picture(size))
  const large = new Superpixels({ width: 4000, height: 1000, copy }, () => Promise.reject(new Error('broken')))
  large.prepare(0.05)
  await new Promise((done) => setTimeout(done))
  expect([sizes, large.state]).toEqual([[{ width: COPY_PX, height: 300 }], 'failed'])
})

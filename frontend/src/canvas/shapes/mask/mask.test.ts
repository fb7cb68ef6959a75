import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'
import golden from './golden.json'
import { runsFrom, textFrom } from './rle'
import { tilesOf } from './shape'
import { MaskTiles } from './tiles'

/** Made by pycocotools 2.0.11: `encode` of the pixels in `runs` (start and length in turn), counted column by column. */
describe('run lengths equal those of pycocotools', () => {
  for (const { name, width, height, counts, runs: flat } of golden) {
    const runs = flat.flatMap((start, index) => (index % 2 === 0 ? [[start, flat[index + 1] ?? 0]] : []))
    it(name, () => {
      const mask = new MaskTiles(width, height)
      for (const [start = 0, length = 0] of runs) {
        for (let at = start; at < start + length; at += 1) {
          mask.setRun(Math.floor(at / height), at % height, (at % height) + 1)
        }
      }
      expect(mask.counts()).toBe(counts)
      const read = MaskTiles.from(width, height, counts)
      expect(read.counts()).toBe(counts)
      const found: number[] = []
      read.forEachRun((x, from, to) => {
        for (let y = from; y < to; y += 1) found.push(x * height + y)
      })
      expect(found).toEqual(runs.flatMap(([start = 0, length = 0]) => Array.from({ length }, (_, index) => start + index)))
      expect(textFrom(runsFrom(counts))).toBe(counts)
    })
  }

  it('refuses a text that is none', () => {
    expect(() => runsFrom('a b')).toThrow(RangeError)
  })
})

const areaOf = (mask: MaskTiles): number => {
  let area = 0
  mask.forEachRun((_, from, to) => {
    area += to - from
  })
  return area
}

describe('mask', () => {
  const draw = () => {
    const editor = new TestEditor()
    editor.brushRadius = 10
    return editor.press('tool_mask').drag([100, 100], [200, 100])
  }

  it('is painted by a stroke: a disc on its way', () => {
    const tiles = tilesOf(draw().only('mask'))
    expect(tiles.bounds()).toEqual({ minX: 90, minY: 90, maxX: 210, maxY: 110 })
    expect(Math.abs(areaOf(tiles) - (100 * 20 + Math.PI * 100))).toBeLessThan(12)
    expect([tiles.has(100, 91), tiles.has(91, 91), tiles.has(150, 109)]).toEqual([true, false, true])
  })

  it('goes on with the chosen mask, and begins another one after Escape', () => {
    const editor = draw().drag([100, 150], [120, 150])
    expect(editor.all).toHaveLength(1)
    editor.press('escape').drag([100, 200], [120, 200])
    expect(editor.all).toHaveLength(2)
    editor.press('undo', 'undo', 'undo')
    expect(editor.all).toHaveLength(0)
    editor.press('redo')
    expect(tilesOf(editor.only('mask')).bounds()).toEqual({ minX: 90, minY: 90, maxX: 210, maxY: 110 })
  })

  it('keeps its label when another is chosen to go on painting with', () => {
    const editor = draw().press('label_2').drag([100, 200], [200, 200]).press('label_2').drag([100, 200], [100, 250])
    const painted = editor.all.map((object) => (object.kind === 'mask' ? [object.label, tilesOf(object).bounds()?.maxY] : null))
    expect(painted).toEqual([
      ['cat', 110],
      ['dog', 260],
    ])
    editor.press('tool_select').click(150, 100).press('label_2')
    expect(editor.all.map(({ label }) => label)).toEqual(['dog', 'dog'])
  })

  it('is wiped by the eraser, and gone when nothing is left', () => {
    const editor = draw().press('tool_eraser').click(150, 100)
    expect(tilesOf(editor.only('mask')).has(150, 100)).toBe(false)
    editor.brushRadius = 100
    editor.drag([100, 100], [200, 100])
    expect(editor.all).toEqual([])
  })

  it('wipes with the brush while Alt is held', () => {
    const editor = draw().click(150, 100, { alt: true })
    expect(tilesOf(editor.only('mask')).has(150, 100)).toBe(false)
  })

  it('is painted by keys alone: Enter puts the brush down and lifts it', () => {
    const editor = new TestEditor().press('tool_mask', 'move_left', 'enter', 'leap_right', 'enter')
    expect(editor.machine.state).toBe('idle')
    expect(tilesOf(editor.only('mask')).bounds()).toEqual({ minX: 180, minY: 138, maxX: 284, maxY: 162 })
  })

  it('fills a hole but not the outside', () => {
    const editor = new TestEditor()
    editor.brushRadius = 3
    editor.press('tool_mask').down(100, 100)
    for (const [x, y] of [
      [160, 100],
      [160, 160],
      [100, 160],
      [100, 100],
    ] as const)
      editor.move(x, y)
    editor.up(100, 100).press('tool_fill').click(20, 20)
    expect(tilesOf(editor.only('mask')).has(130, 130)).toBe(false)
    editor.click(130, 130)
    expect(tilesOf(editor.only('mask')).has(130, 130)).toBe(true)
    expect(areaOf(tilesOf(editor.only('mask')))).toBeGreaterThan(60 * 60)
  })

  it('is made of a polygon with its hole', () => {
    const editor = new TestEditor().press('tool_polygon').click(10, 10).click(110, 10).click(110, 110).click(10, 110).press('enter')
    editor.click(40, 40, { alt: true }).click(60, 40).click(60, 60).click(40, 60).press('enter')
    editor.press('to_mask')
    expect(areaOf(tilesOf(editor.only('mask')))).toBe(100 * 100 - 20 * 20)
    expect(editor.selection.only).toBe(editor.only('mask').id)
    editor.press('undo')
    expect(editor.only('polygon').parts[0]?.holes).toHaveLength(1)
  })

  it('is hit on its pixels and moved by whole ones', () => {
    const editor = draw().press('tool_select', 'escape').click(150, 130)
    expect(editor.selection.size).toBe(0)
    editor.drag([150, 100], [160.4, 120.4])
    expect(tilesOf(editor.only('mask')).bounds()).toEqual({ minX: 100, minY: 110, maxX: 220, maxY: 130 })
  })

  it('costs what is painted, not what the picture measures', () => {
    const mask = new MaskTiles(30_000, 20_000)
    mask.stroke({ x: 29_000, y: 19_000 }, { x: 29_100, y: 19_050 }, 20, 1)
    let tiles = 0
    mask.forEachTile({ minX: 0, minY: 0, maxX: 30_000, maxY: 20_000 }, () => (tiles += 1))
    expect(tiles).toBeLessThanOrEqual(6)
    expect(MaskTiles.from(30_000, 20_000, mask.counts()).bounds()).toEqual(mask.bounds())
  })

  it('shares with a copy what the copy does not change', () => {
    const mask = new MaskTiles(400, 300)
    mask.stroke({ x: 50, y: 50 }, { x: 50, y: 50 }, 10, 1)
    const copy = mask.copy()
    copy.stroke({ x: 60, y: 60 }, { x: 60, y: 60 }, 10, 1)
    expect(areaOf(copy)).toBeGreaterThan(areaOf(mask))
    expect(mask.has(65, 65)).toBe(false)
  })
})

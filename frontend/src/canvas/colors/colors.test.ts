import { describe, expect, it } from 'vitest'

import { tilesOf } from '../shapes/mask/shape'
import { MaskTiles } from '../shapes/mask/tiles'
import { TestEditor } from '../test-editor'
import { ColorTiles, type PixelSource } from './color-tiles'
import { Growth } from './growth'
import { addSimilar } from './similar'

const [WIDTH, HEIGHT] = [400, 300]

/** Grey that becomes lighter to the right, a red disc with a blue spot in it, and grain. */
function scene(): PixelSource {
  const at = (x: number, y: number): [number, number, number] => {
    const grain = ((x * 7 + y * 13) % 5) - 2
    if (Math.hypot(x - 200, y - 150) < 10) return [20, 20, 200]
    if (Math.hypot(x - 200, y - 150) < 60) return [200 + grain, 30, 30]
    const grey = 60 + x / 8 + grain
    return [grey, grey, grey]
  }
  return {
    width: WIDTH,
    height: HEIGHT,
    read: (left, top, width, height) => {
      const out = new Uint8ClampedArray(width * height * 4)
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) out.set([...at(left + x, top + y), 255], (y * width + x) * 4)
      }
      return out
    },
  }
}

const isNear = (area: number, expected: number) => expect(Math.abs(area - expected) / expected).toBeLessThan(0.05)
const RING = Math.PI * (60 ** 2 - 10 ** 2)
const never = () => false

describe('a region of like colours', () => {
  it('ends where colours differ, though it lies across tiles, and grows with the tolerance', () => {
    const growth = new Growth(new ColorTiles(scene()), 160, 150)
    growth.advance(30, never)
    isNear(growth.mask(30).area, RING)
    expect(growth.mask(30).has(200, 150)).toBe(false)
    const areas = [5, 30, 254].map((tolerance) => {
      growth.advance(tolerance, never)
      return growth.mask(tolerance).area
    })
    expect(areas.toSorted((one, other) => one - other)).toEqual(areas)
    expect(areas.at(-1)).toBe(WIDTH * HEIGHT)
    isNear(growth.mask(30).area, RING)
  })

  it('is the same when it is found in slices, and when a smaller tolerance came first', () => {
    const colors = new ColorTiles(scene())
    const [whole, sliced] = [new Growth(colors, 20, 20), new Growth(colors, 20, 20)]
    whole.advance(40, never)
    sliced.advance(8, never)
    let slices = 0
    while (!sliced.advance(40, () => true)) slices += 1
    expect(slices).toBeGreaterThan(10)
    expect(sliced.mask(40).counts()).toBe(whole.mask(40).counts())
    expect(whole.mask(40).area).toBeLessThan(WIDTH * HEIGHT)
  })
})

describe('the smart brush', () => {
  it('keeps to colours like that of its middle, within its circle', () => {
    const colors = new ColorTiles(scene())
    const inside = new MaskTiles(WIDTH, HEIGHT)
    addSimilar(inside, colors, { x: 150, y: 150 }, 40, 30)
    expect([inside.has(145, 150), inside.has(180, 150), inside.has(130, 150), inside.has(195, 150)]).toEqual([true, true, false, false])
    const plain = new MaskTiles(WIDTH, HEIGHT)
    addSimilar(plain, colors, { x: 60, y: 60 }, 40, 30)
    isNear(plain.area, Math.PI * 40 ** 2)
  })

  it('paints and wipes as the brush does', () => {
    const editor = new TestEditor()
    editor.setColors(new ColorTiles(scene()))
    editor.brushRadius = 50
    editor.press('smart', 'tool_mask').drag([170, 150], [170, 130])
    const painted = tilesOf(editor.only('mask'))
    expect([painted.has(170, 150), painted.has(125, 150), painted.has(200, 150)]).toEqual([true, false, false])
    editor.press('smart').drag([120, 150], [180, 150]).press('smart', 'tool_eraser').drag([100, 150], [110, 150])
    const wiped = tilesOf(editor.only('mask'))
    expect([wiped.has(120, 150), wiped.has(150, 150)]).toEqual([false, true])
  })
})

describe('the magic wand', () => {
  it('shows the area before it is accepted, finds it anew with another tolerance, and leaves out what Alt clicks', async () => {
    const editor = new TestEditor()
    const shown = async () => {
      for (let tries = 0; tries < 500; tries += 1) {
        await new Promise((done) => setTimeout(done))
        if (editor.preview?.kind === 'clicks' && !editor.preview.isWaiting && editor.preview.object) return tilesOf(editor.preview.object)
      }
      throw new Error('no answer')
    }
    editor.press('tool_wand')
    expect(editor.tool.name).toBe('select')
    editor.setColors(new ColorTiles(scene()))
    editor.press('tool_wand').click(160, 150)
    isNear((await shown()).area, RING)
    editor.click(20, 20)
    const both = (await shown()).area
    editor.press('tolerance_smaller', 'tolerance_smaller', 'tolerance_smaller')
    expect((await shown()).area).toBeLessThan(both)
    editor.press('delete').click(200, 150).click(160, 150, { alt: true })
    isNear((await shown()).area, Math.PI * 10 ** 2)
    expect(editor.all).toEqual([])
    editor.press('enter')
    expect(editor.only('mask')).toMatchObject({ label: 'cat', drawn_with: 'magic_wand' })
    editor.click(160, 150).press('escape')
    expect(editor.all).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'

import type { MaskObject } from './object'
import { tilesOf } from './shapes/mask/shape'
import { TestEditor } from './test-editor'

const areas = (editor: TestEditor) => editor.all.map((mask) => tilesOf(mask as MaskObject).area)

/** A ring around (150, 100) and a spot beside it, as one mask. */
function ringAndSpot() {
  const editor = new TestEditor()
  editor.brushRadius = 4
  editor.press('tool_mask').down(110, 60)
  for (const [x, y] of [
    [190, 60],
    [190, 140],
    [110, 140],
    [110, 60],
  ] as const)
    editor.move(x, y)
  return editor.up(110, 60).click(250, 100)
}

describe('chosen masks', () => {
  it('are split into their parts and joined again, each in one step', () => {
    const editor = ringAndSpot()
    const before = areas(editor)
    editor.press('split')
    expect(areas(editor)).toHaveLength(2)
    expect(areas(editor).reduce((sum, area) => sum + area, 0)).toBe(before[0])
    expect(editor.selection.size).toBe(2)
    editor.press('join')
    expect(areas(editor)).toEqual(before)
    editor.press('undo', 'undo')
    expect(areas(editor)).toEqual(before)
  })

  it('are filled where they enclose something', () => {
    const editor = ringAndSpot()
    expect(tilesOf(editor.only('mask')).has(150, 100)).toBe(false)
    editor.press('fill_holes')
    expect(tilesOf(editor.only('mask')).has(150, 100)).toBe(true)
    expect(tilesOf(editor.only('mask')).has(220, 100)).toBe(false)
  })

  it('are joined only with those of their label', () => {
    const editor = ringAndSpot().press('label_2').click(300, 200).press('select_all', 'join')
    expect(editor.all.map(({ label }) => label)).toEqual(['cat', 'dog'])
  })

  it('lose spots and notches when they are smoothed, and little else', () => {
    const editor = new TestEditor()
    editor.brushRadius = 30
    editor.press('tool_mask').click(100, 100)
    const [disc = 0] = areas(editor)
    editor.brushRadius = 0.5
    editor.click(200.5, 100.5).click(100.5, 71.5, { alt: true })
    editor.press('simplify')
    const tiles = tilesOf(editor.only('mask'))
    expect([tiles.has(200, 100), tiles.has(100, 71)]).toEqual([false, true])
    expect(Math.abs(tiles.area - disc)).toBeLessThan(disc * 0.01)
  })
})

describe('filling', () => {
  it('gives the label at hand to what several masks and the border of the picture enclose, and never to the open background', () => {
    const editor = new TestEditor()
    editor.brushRadius = 5
    editor.press('tool_mask').drag([0, 200], [200, 200]).press('label_2').drag([200, 200], [400, 200])
    editor.press('tool_fill', 'escape', 'tool_fill').click(50, 280)
    const filled = editor.all.at(-1) as MaskObject
    expect(filled.label).toBe('dog')
    expect([tilesOf(filled).has(390, 290), tilesOf(filled).has(50, 100)]).toEqual([true, false])

    const open = new TestEditor().press('tool_mask').click(100, 100).press('tool_fill').click(300, 200)
    expect(areas(open)).toHaveLength(1)
    expect(tilesOf(open.only('mask')).has(300, 200)).toBe(false)
  })
})

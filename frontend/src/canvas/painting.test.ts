import { describe, expect, it } from 'vitest'

import { objectAt } from './hit-test'
import type { MaskObject } from './object'
import type { OverlapRule } from './paint-settings'
import { tilesOf } from './shapes/mask/shape'
import { LABELS, TestEditor } from './test-editor'

const begin = (editor: TestEditor, rule: OverlapRule, hasOneLabelAPixel: boolean) =>
  editor.paint.begin(rule, hasOneLabelAPixel ? ['over', 'keep', 'order'] : ['both', 'over', 'keep'])

/** Two strokes that cross at (150, 100): a cat from left to right, then a dog from above to below. */
function crossed(rule: OverlapRule, hasOneLabelAPixel = true, labels = ['1', '2']) {
  const editor = new TestEditor()
  begin(editor, rule, hasOneLabelAPixel)
  editor.brushRadius = 10
  editor.press('tool_mask', `label_${labels[0]}`).drag([100, 100], [200, 100])
  editor.press('escape', 'tool_mask', `label_${labels[1]}`).drag([150, 50], [150, 150])
  return editor
}

const masks = (editor: TestEditor) => editor.all as MaskObject[]
const has = (editor: TestEditor, x: number, y: number) => masks(editor).map((mask) => tilesOf(mask).has(x, y))

describe('what is painted where others are', () => {
  it('takes pixels from others, in one step to undo', () => {
    const editor = crossed('over')
    expect(has(editor, 150, 100)).toEqual([false, true])
    expect(has(editor, 120, 100)).toEqual([true, false])
    editor.press('undo')
    expect(has(editor, 150, 100)).toEqual([true])
  })

  it('leaves others their pixels, or shares them', () => {
    expect(has(crossed('keep'), 150, 100)).toEqual([true, false])
    expect(has(crossed('keep'), 150, 60)).toEqual([false, true])
    expect(has(crossed('both', false), 150, 100)).toEqual([true, true])
  })

  it('is one area where a pixel has one label, and two objects where each stands by itself', () => {
    expect(has(crossed('over', true, ['1', '1']), 150, 100)).toEqual([true, true])
    expect(has(crossed('over', false, ['1', '1']), 150, 100)).toEqual([false, true])
  })

  it('lets the label further up in the list lie above, whatever was drawn first, where the order decides', () => {
    const editor = crossed('order')
    expect(has(editor, 150, 100)).toEqual([true, true])
    const top = () => editor.document.get(objectAt(editor, { x: 150, y: 100 }) ?? '')?.label
    expect(top()).toBe('cat')
    editor.setLabels(LABELS.toReversed())
    expect(top()).toBe('dog')
    expect(editor.paint.rules).toEqual(['over', 'keep', 'order'])
    expect(crossed('over').paint.rules).toEqual(['over', 'keep'])
  })

  it('never takes from what is locked', () => {
    const editor = new TestEditor()
    begin(editor, 'over', true)
    editor.press('tool_mask').drag([100, 100], [200, 100])
    editor.appearance.lock(editor.document.order, true)
    editor.press('label_2').drag([150, 50], [150, 150])
    expect(has(editor, 150, 100)).toEqual([true, false])
  })

  it('removes a mask of which nothing is left', () => {
    const editor = new TestEditor()
    begin(editor, 'over', true)
    editor.press('tool_mask').click(150, 100).press('label_2')
    editor.brushRadius = 40
    editor.click(150, 100)
    expect(editor.only('mask').label).toBe('dog')
    editor.press('undo')
    expect(editor.only('mask').label).toBe('cat')
  })

  it('makes masks of polygons that lose pixels, unless they lie below anyway', () => {
    const kinds = (hasOneLabelAPixel: boolean) => {
      const editor = new TestEditor().press('tool_polygon').click(100, 50).click(200, 50).click(200, 150).click(100, 150).press('enter')
      begin(editor, 'over', hasOneLabelAPixel)
      editor.press('tool_mask', 'label_2').drag([50, 100], [250, 100])
      return editor.all.map(({ kind, label }) => `${label} ${kind}`)
    }
    expect(kinds(true)).toEqual(['cat polygon', 'dog mask'])
    expect(kinds(false)).toEqual(['cat mask', 'dog mask'])
  })
})

describe('an outline that is drawn where others are', () => {
  const drawn = (rule: OverlapRule, hasOneLabelAPixel: boolean) => {
    const editor = new TestEditor()
    begin(editor, rule, hasOneLabelAPixel)
    editor.brushRadius = 10
    editor.press('tool_mask', 'label_1').drag([100, 100], [200, 100])
    editor.press('escape', 'tool_polygon', 'label_2').click(140, 50).click(160, 50).click(160, 150).click(140, 150).press('enter')
    return editor
  }
  const kinds = (editor: TestEditor) => editor.all.map(({ kind, label }) => `${label} ${kind}`)

  it('takes pixels from masks and stays an outline', () => {
    const editor = drawn('over', true)
    expect(kinds(editor)).toEqual(['cat mask', 'dog polygon'])
    expect(tilesOf(masks(editor)[0] as MaskObject).has(150, 100)).toBe(false)
    editor.press('undo')
    expect(has(editor, 150, 100)).toEqual([true])
  })

  it('becomes a mask where others keep their pixels, and shares them where it may', () => {
    const editor = drawn('keep', true)
    expect(kinds(editor)).toEqual(['cat mask', 'dog mask'])
    expect(has(editor, 150, 100)).toEqual([true, false])
    expect(has(editor, 150, 60)).toEqual([false, true])
    expect(kinds(drawn('both', false))).toEqual(['cat mask', 'dog polygon'])
  })
})

describe('strokes', () => {
  it('go on in a straight line from the last one with Shift', () => {
    const editor = new TestEditor()
    editor.press('tool_mask').click(50, 50).click(250, 50, { shift: true })
    expect(has(editor, 150, 50)).toEqual([true])
    editor.open({ width: 400, height: 300 }, [])
    editor.click(350, 250, { shift: true })
    expect(has(editor, 300, 150)).toEqual([false])
  })

  it('begin with a brush that is seen on a large picture, until somebody chooses its size', () => {
    const editor = new TestEditor()
    expect(editor.brushRadius).toBe(12)
    editor.open({ width: 4000, height: 3000 }, [])
    expect(editor.brushRadius).toBe(60)
    editor.press('brush_smaller')
    editor.open({ width: 400, height: 300 }, [])
    expect(editor.brushRadius).toBe(48)
  })
})

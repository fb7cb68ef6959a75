import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'

describe('quadrilateral', () => {
  it('is a box that is dragged, in whichever direction', () => {
    const editor = new TestEditor().press('tool_quad').drag([160, 90], [60, 50])
    expect(editor.only('polygon').parts[0]?.points).toEqual([
      [60, 50],
      [160, 50],
      [160, 90],
      [60, 90],
    ])
  })

  it('is drawn by four clicks from where the text begins, and one of them can be taken back', () => {
    const editor = new TestEditor().press('tool_quad').click(60, 50).click(200, 200).press('delete').click(160, 60).click(158, 92)
    expect(editor.all).toEqual([])
    editor.click(58, 88)
    expect(editor.only('polygon').parts[0]?.points).toEqual([
      [60, 50],
      [160, 60],
      [158, 92],
      [58, 88],
    ])
  })

  it('is drawn by keys alone and dropped by Escape', () => {
    const editor = new TestEditor().press('tool_quad', 'enter', 'escape')
    expect([editor.all, editor.machine.state]).toEqual([[], 'idle'])
  })
})

import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'

describe('point', () => {
  it('is one click', () => {
    const editor = new TestEditor().press('tool_point').click(50.123, 60)
    expect(editor.only('keypoints')).toMatchObject({ label: 'cat', points: [{ name: 'point', x: 50.12, y: 60, visibility: 2 }] })
  })

  it('is placed by keys alone', () => {
    const editor = new TestEditor().press('tool_point', 'move_right', 'enter')
    expect(editor.only('keypoints').points[0]).toMatchObject({ x: 208, y: 150 })
  })

  it('is found near it, moved, and removed', () => {
    const editor = new TestEditor().press('tool_point').click(50, 60).press('tool_select', 'escape').click(54, 63)
    expect(editor.selection.size).toBe(1)
    editor.drag([50, 60], [90, 90])
    expect(editor.only('keypoints').points[0]).toMatchObject({ x: 90, y: 90 })
    editor.press('delete')
    expect(editor.all).toEqual([])
  })
})

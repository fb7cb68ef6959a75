import { describe, expect, it } from 'vitest'

import { box, TestEditor } from '../../test-editor'

describe('box', () => {
  it('is drawn by dragging, in any direction', () => {
    const editor = new TestEditor().press('tool_box').drag([110, 90], [30, 40])
    expect(editor.only('box')).toMatchObject({ label: 'cat', x: 30, y: 40, width: 80, height: 50 })
    expect(editor.selection.only).toBe(editor.only('box').id)
  })

  it('is drawn by two clicks', () => {
    const editor = new TestEditor().press('tool_box').click(30, 40)
    expect(editor.machine.state).toBe('drawing')
    editor.move(70, 70)
    expect(editor.preview).toMatchObject({ kind: 'object', object: { width: 40, height: 30 } })
    editor.click(110, 90)
    expect(editor.only('box')).toMatchObject({ x: 30, y: 40, width: 80, height: 50 })
    expect(editor.preview).toBeNull()
  })

  it('is drawn by keys alone', () => {
    const editor = new TestEditor().press('tool_box')
    editor.press('leap_left', 'leap_up', 'enter')
    expect(editor.machine.state).toBe('drawing')
    editor.press('move_right', 'move_right', 'move_down', 'fine_down', 'enter')
    expect(editor.only('box')).toMatchObject({ x: 120, y: 70, width: 16, height: 9 })
  })

  it('stays within the picture, and is square with Shift', () => {
    const editor = new TestEditor().press('tool_box').drag([380, 280], [500, 400])
    expect(editor.only('box')).toMatchObject({ x: 380, y: 280, width: 20, height: 20 })
    editor.press('undo').drag([10, 10], [60, 40], { shift: true })
    expect(editor.only('box')).toMatchObject({ width: 30, height: 30 })
  })

  it('snaps to the border of the picture', () => {
    const editor = new TestEditor().press('tool_box').drag([3, 4], [50, 50])
    expect(editor.only('box')).toMatchObject({ x: 0, y: 0, width: 50, height: 50 })
  })

  it('is not made by a click that moves nowhere, and is dropped by Escape', () => {
    const editor = new TestEditor().press('tool_box').click(30, 30).click(30, 30)
    expect(editor.all).toEqual([])
    editor.down(10, 10).move(50, 50).press('escape').up(50, 50)
    expect([editor.all, editor.preview, editor.machine.state]).toEqual([[], null, 'idle'])
  })

  it('is reshaped by its corners and sides, over itself too', () => {
    const editor = new TestEditor({ objects: [box('a', 100, 100)] }).click(120, 115)
    editor.drag([140, 130], [160, 150])
    expect(editor.only('box')).toMatchObject({ x: 100, y: 100, width: 60, height: 50 })
    editor.drag([100, 125], [180, 125])
    expect(editor.only('box')).toMatchObject({ x: 160, y: 100, width: 20, height: 50 })
  })

  it('is moved, at most to the border', () => {
    const editor = new TestEditor({ objects: [box('a', 100, 100)] }).drag([120, 115], [1000, 115])
    expect(editor.only('box')).toMatchObject({ x: 360, y: 100, width: 40 })
    expect(editor.operations).toEqual([{ type: 'update', id: 'a', patch: { x: 360 } }])
  })
})

import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'

const draw = () => {
  const editor = new TestEditor()
  editor.chooseLabel('person')
  return editor.press('tool_keypoints').click(100, 50).click(140, 90).click(100, 150)
}

describe('keypoints', () => {
  it('takes the points of the skeleton in order, one click each', () => {
    expect(draw().only('keypoints')).toMatchObject({
      label: 'person',
      points: [
        { name: 'head', x: 100, y: 50, visibility: 2 },
        { name: 'hand', x: 140, y: 90, visibility: 2 },
        { name: 'foot', x: 100, y: 150, visibility: 2 },
      ],
    })
  })

  it('takes the first label that has a skeleton when the current one has none', () => {
    const editor = new TestEditor().press('tool_keypoints').click(10, 10)
    expect([editor.label, editor.machine.state]).toEqual(['person', 'placing'])
  })

  it('does nothing without any skeleton', () => {
    const editor = new TestEditor({ labels: [{ name: 'cat', color: '#3b76f6' }] }).press('tool_keypoints').click(10, 10)
    expect([editor.all, editor.machine.state]).toEqual([[], 'idle'])
  })

  it('shows which are hidden and which are not there', () => {
    const editor = new TestEditor().press('tool_keypoints').click(10, 10, { alt: true }).press('skip').click(50, 50)
    expect(editor.only('keypoints').points.map(({ visibility }) => visibility)).toEqual([1, 0, 2])
    expect(editor.only('keypoints').points[1]).toMatchObject({ name: 'hand', x: 0, y: 0 })
  })

  it('ends early by Enter, and takes a point back by Backspace', () => {
    const editor = new TestEditor().press('tool_keypoints').click(10, 10).click(30, 30).press('delete').move(40, 40).press('enter')
    expect(editor.only('keypoints').points.map(({ visibility }) => visibility)).toEqual([2, 0, 0])
  })

  it('is placed by keys alone, with a switch for hidden', () => {
    const editor = new TestEditor().press(
      'tool_keypoints',
      'move_left',
      'enter',
      'seen',
      'leap_down',
      'enter',
      'seen',
      'leap_left',
      'enter',
    )
    expect(editor.only('keypoints').points.map(({ visibility, x, y }) => [visibility, x, y])).toEqual([
      [2, 192, 150],
      [1, 192, 230],
      [2, 112, 230],
    ])
  })

  it('toggles what is seen on the active point, and loses a point by Delete', () => {
    const editor = draw().press('tool_select').click(140, 90).press('seen')
    expect(editor.only('keypoints').points[1]?.visibility).toBe(1)
    editor.press('seen').click(140, 90).press('delete')
    expect(editor.only('keypoints').points.map(({ visibility }) => visibility)).toEqual([2, 0, 2])
  })

  it('is chosen on an edge of its skeleton and moved as a whole; absent points stay nowhere', () => {
    const editor = new TestEditor().press('tool_keypoints').click(100, 50).click(140, 90).press('skip', 'tool_select', 'escape')
    editor.drag([120, 70], [130, 75])
    expect(editor.only('keypoints').points.map(({ x, y }) => [x, y])).toEqual([
      [110, 55],
      [150, 95],
      [0, 0],
    ])
  })
})

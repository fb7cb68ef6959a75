import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'
import shape from './shape'

const draw = () => new TestEditor().press('tool_polyline').click(50, 50).click(100, 60).click(150, 50).press('enter')

describe('polyline', () => {
  it('is drawn by clicks and ended by Enter', () => {
    expect(draw().only('polyline')).toMatchObject({
      label: 'cat',
      points: [
        [50, 50],
        [100, 60],
        [150, 50],
      ],
    })
  })

  it('may end where it began, without being closed', () => {
    const editor = new TestEditor().press('tool_polyline').click(50, 50).click(100, 60).click(150, 50).click(50, 50).press('enter')
    expect(editor.only('polyline').points).toHaveLength(4)
  })

  it('is drawn by keys alone', () => {
    const editor = new TestEditor().press('tool_polyline', 'leap_left', 'enter', 'leap_right', 'enter', 'enter')
    expect(editor.only('polyline').points).toEqual([
      [120, 150],
      [200, 150],
    ])
  })

  it('has no inside', () => {
    const line = draw().only('polyline')
    expect(shape.hit(line, { x: 75, y: 56 }, 3)).toBe('edge')
    expect(shape.hit(line, { x: 100, y: 51 }, 3)).toBeNull()
  })

  it('keeps two points at least', () => {
    const editor = draw().press('tool_select')
    editor.click(50, 50, { alt: true })
    expect(editor.only('polyline').points).toHaveLength(2)
    editor.click(100, 60, { alt: true })
    expect(editor.only('polyline').points).toHaveLength(2)
  })

  it('gets a vertex on a segment and is simplified again', () => {
    const editor = draw().press('tool_select').drag([75, 55], [75, 56])
    editor.drag([75, 55], [75, 75])
    expect(editor.only('polyline').points).toHaveLength(4)
    editor.drag([75, 75], [75, 55]).press('escape', 'simplify')
    expect(editor.only('polyline').points).toHaveLength(3)
  })
})

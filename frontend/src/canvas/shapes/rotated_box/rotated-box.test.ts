import { describe, expect, it } from 'vitest'

import { TestEditor } from '../../test-editor'
import shape, { cornersOf } from './shape'

const near = (corners: [number, number][]) => corners.map(([x, y]) => [Math.round(x), Math.round(y)])

describe('rotated box', () => {
  it('is drawn by one side and a reach', () => {
    const editor = new TestEditor().press('tool_rotated_box').drag([100, 100], [160, 160])
    expect(editor.machine.state).toBe('depth')
    editor.move(90, 190).click(90, 190)
    const drawn = editor.only('rotated_box')
    expect(drawn.angle_deg).toBe(45)
    expect(near(cornersOf(drawn)).sort()).toEqual(
      [
        [100, 100],
        [160, 160],
        [110, 210],
        [50, 150],
      ].sort(),
    )
  })

  it('reaches to the other side as well', () => {
    const editor = new TestEditor().press('tool_rotated_box').click(100, 100).click(180, 100).click(120, 60)
    expect(editor.only('rotated_box')).toMatchObject({ center_x: 140, center_y: 80, width: 80, height: 40, angle_deg: 0 })
  })

  it('is drawn by keys alone', () => {
    const editor = new TestEditor().press('tool_rotated_box', 'leap_left', 'enter', 'leap_right', 'enter', 'leap_down', 'enter')
    expect(editor.only('rotated_box')).toMatchObject({ width: 80, height: 80, angle_deg: 0 })
  })

  it('is turned by its stalk, in steps with Shift', () => {
    const editor = new TestEditor().press('tool_rotated_box').click(100, 100).click(180, 100).click(120, 140).press('tool_select')
    const before = editor.only('rotated_box')
    editor.drag([140, 78], [260, 121], { shift: true })
    expect(editor.only('rotated_box')).toMatchObject({ center_x: before.center_x, center_y: before.center_y, angle_deg: 90 })
    expect(editor.only('rotated_box').width).toBe(before.width)
  })

  it('keeps the opposite corner when a corner is dragged', () => {
    const start = {
      kind: 'rotated_box',
      id: 'a',
      label: 'cat',
      center_x: 150,
      center_y: 150,
      width: 80,
      height: 40,
      angle_deg: 30,
    } as const
    const [nw, , se] = cornersOf(start)
    const dragged = shape.withHandleAt(start, 'se', { x: (se?.[0] ?? 0) + 20, y: (se?.[1] ?? 0) + 10 }, { shift: false, alt: false })
    const kept = cornersOf(dragged)[0] ?? [0, 0]
    expect(Math.hypot(kept[0] - (nw?.[0] ?? 0), kept[1] - (nw?.[1] ?? 0))).toBeLessThan(0.02)
    expect(dragged.angle_deg).toBe(30)
  })

  it('is hit where it lies, not where its bounds are', () => {
    const turned = {
      kind: 'rotated_box',
      id: 'a',
      label: 'cat',
      center_x: 100,
      center_y: 100,
      width: 100,
      height: 10,
      angle_deg: 45,
    } as const
    expect(shape.hit(turned, { x: 130, y: 130 }, 1)).toBe('inside')
    expect(shape.hit(turned, { x: 130, y: 70 }, 1)).toBeNull()
  })
})

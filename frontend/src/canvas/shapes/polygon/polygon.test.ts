import { describe, expect, it } from 'vitest'

import type { PolygonObject, Tuple } from '../../object'
import { TestEditor } from '../../test-editor'
import shape from './shape'

const SQUARE: Tuple[] = [
  [50, 50],
  [150, 50],
  [150, 150],
  [50, 150],
]
const square = (): PolygonObject => ({ kind: 'polygon', id: 'p', label: 'cat', parts: [{ points: SQUARE, holes: [] }] })

describe('polygon', () => {
  it('is drawn by clicks and closed on its first point', () => {
    const editor = new TestEditor().press('tool_polygon').click(50, 50).click(150, 50).click(150, 150).move(53, 52)
    expect(editor.preview).toMatchObject({ kind: 'path', canClose: true })
    editor.click(53, 52)
    expect(editor.only('polygon').parts).toEqual([
      {
        points: [
          [50, 50],
          [150, 50],
          [150, 150],
        ],
        holes: [],
      },
    ])
  })

  it('is closed by Enter and by a double click, and loses its last point by Backspace', () => {
    const editor = new TestEditor().press('tool_polygon').click(50, 50).click(150, 50).click(150, 150).click(20, 20)
    editor.press('delete', 'enter')
    expect(editor.only('polygon').parts[0]?.points).toHaveLength(3)
    editor.press('undo').click(50, 50).click(150, 50).click(150, 150).click(150, 150, { clicks: 2 })
    expect(editor.only('polygon').parts[0]?.points).toHaveLength(3)
  })

  it('needs three points', () => {
    const editor = new TestEditor().press('tool_polygon').click(50, 50).click(150, 50).press('enter')
    expect([editor.all, editor.machine.state]).toEqual([[], 'drawing'])
  })

  it('is drawn by keys alone: a second Enter at the same place closes', () => {
    const editor = new TestEditor().press('tool_polygon')
    editor.press('move_left', 'enter', 'leap_right', 'enter', 'leap_down', 'enter', 'enter')
    expect(editor.only('polygon').parts[0]?.points).toEqual([
      [192, 150],
      [272, 150],
      [272, 230],
    ])
  })

  it('is drawn freely with the button held', () => {
    const editor = new TestEditor().press('tool_polygon').down(100, 100)
    for (let angle = 0; angle < 360; angle += 5) {
      editor.move(100 + 50 * (1 - Math.cos((angle * Math.PI) / 180)), 100 + 50 * Math.sin((angle * Math.PI) / 180))
    }
    editor.up(100, 96).press('enter')
    const [part] = editor.only('polygon').parts
    expect(part?.points.length).toBeGreaterThan(20)
    editor.press('simplify')
    const simpler = editor.only('polygon').parts[0]?.points.length ?? 0
    expect(simpler).toBeLessThan(part?.points.length ?? 0)
    expect(simpler).toBeGreaterThan(6)
  })

  it('gets a hole with Alt and another part with Shift', () => {
    const editor = new TestEditor({ objects: [square()] }).click(100, 100).press('tool_polygon')
    editor.click(80, 80, { alt: true }).click(120, 80).click(120, 120).press('enter')
    editor.click(200, 200, { shift: true }).click(250, 200).click(250, 250).press('enter')
    const polygon = editor.only('polygon')
    expect(polygon.parts.map((part) => part.holes.length)).toEqual([1, 0])
    expect(shape.hit(polygon, { x: 110, y: 95 }, 1)).toBeNull()
    expect(shape.hit(polygon, { x: 60, y: 60 }, 1)).toBe('inside')
    expect(shape.hit(polygon, { x: 240, y: 210 }, 1)).toBe('inside')
    editor.press('undo', 'undo')
    expect(editor.only('polygon')).toEqual(square())
  })

  it('moves a vertex, makes one between two, and takes one away', () => {
    const editor = new TestEditor({ objects: [square()] }).click(100, 100)
    editor.drag([150, 150], [170, 160])
    expect(editor.only('polygon').parts[0]?.points[2]).toEqual([170, 160])
    editor.drag([100, 50], [100, 30])
    expect(editor.only('polygon').parts[0]?.points).toHaveLength(5)
    expect(editor.only('polygon').parts[0]?.points[1]).toEqual([100, 30])
    editor.click(100, 30, { alt: true })
    expect(editor.only('polygon').parts[0]?.points).toHaveLength(4)
    editor.click(50, 50).press('delete')
    expect(editor.only('polygon').parts[0]?.points).toHaveLength(3)
    editor.click(150, 50).press('delete')
    expect(editor.all).toEqual([])
  })

  it('goes through its vertices by keys and moves them', () => {
    const editor = new TestEditor({ objects: [square()] }).press('next_object', 'next_handle', 'next_handle', 'leap_right', 'move_up')
    expect(editor.only('polygon').parts[0]?.points[1]).toEqual([160, 49])
  })

  it('loses a hole whose vertices were taken away', () => {
    const hole: Tuple[] = [
      [80, 80],
      [120, 80],
      [120, 120],
    ]
    const polygon: PolygonObject = { ...square(), parts: [{ points: SQUARE, holes: [hole] }] }
    expect(shape.withoutVertex(polygon, '0.0/1')).toEqual(square())
  })
})

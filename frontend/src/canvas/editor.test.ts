import { describe, expect, it } from 'vitest'

import { Clipboard } from './clipboard'
import { CanvasDocument, type Operation } from './document'
import { HISTORY_DEPTH } from './history'
import { annotationsFrom, objectsFrom } from './object'
import { box, TestEditor } from './test-editor'

const three = () => new TestEditor({ objects: [box('a', 10, 10), box('b', 30, 20), box('c', 200, 200)] })
const order = (editor: TestEditor) => editor.document.order.join('')

describe('choosing', () => {
  it('takes the topmost, then by another click the one below', () => {
    const editor = three().click(40, 30)
    expect([...editor.selection.ids]).toEqual(['b'])
    editor.click(42, 32)
    expect([...editor.selection.ids]).toEqual(['a'])
    editor.click(42, 32)
    expect([...editor.selection.ids]).toEqual(['b'])
  })

  it('drags what is chosen though something lies above it', () => {
    const editor = three().click(40, 30).click(42, 32).drag([42, 32], [52, 32])
    expect(editor.document.get('a')).toMatchObject({ x: 20 })
    expect(editor.document.get('b')).toMatchObject({ x: 30 })
  })

  it('takes several by Shift and by a rectangle', () => {
    const editor = three().click(15, 15).click(210, 210, { shift: true })
    expect([...editor.selection.ids].sort()).toEqual(['a', 'c'])
    editor.drag([2, 2], [120, 120])
    expect([...editor.selection.ids].sort()).toEqual(['a', 'b'])
    editor.drag([190, 190], [300, 260], { shift: true })
    expect(editor.selection.size).toBe(3)
    editor.click(350, 20)
    expect(editor.selection.size).toBe(0)
  })

  it('passes over what is locked or hidden, and all it does to them', () => {
    const editor = three()
    editor.appearance.lock(['b'], true)
    editor.appearance.hide(['c'], true)
    editor.press('select_all')
    expect([...editor.selection.ids]).toEqual(['a'])
    editor.click(60, 45)
    expect(editor.selection.size).toBe(0)
    editor.selection.set(['b'])
    editor.press('delete', 'move_right')
    expect(editor.document.get('b')).toEqual(box('b', 30, 20))
  })
})

describe('history', () => {
  it('takes a gesture back as one step', () => {
    const editor = three().drag([15, 15], [60, 60])
    expect(editor.history.depth).toBe(1)
    editor.press('undo')
    expect(editor.document.get('a')).toEqual(box('a', 10, 10))
    editor.press('redo')
    expect(editor.document.get('a')).toMatchObject({ x: 55, y: 55 })
  })

  it(`is ${HISTORY_DEPTH} steps deep`, () => {
    const editor = three()
    editor.selection.set(['c'])
    for (let index = 0; index < HISTORY_DEPTH + 20; index += 1) editor.press(index % 2 ? 'move_left' : 'leap_right', 'move_up')
    for (let index = 0; index < HISTORY_DEPTH; index += 1) {
      expect(editor.history.canUndo).toBe(true)
      editor.press('undo')
    }
    expect(editor.history.canUndo).toBe(false)
  })

  it('leads back to the beginning and forth again, whatever was done', () => {
    const random = seeded(11)
    const editor = three()
    const start = JSON.stringify(editor.all)
    const names = [
      'duplicate',
      'delete',
      'front',
      'back',
      'up',
      'down',
      'move_left',
      'leap_down',
      'paste',
      'copy',
      'cut',
      'next_object',
      'label_2',
    ]
    for (let index = 0; index < 180; index += 1) {
      if (random() < 0.3) editor.selection.set(editor.document.order.filter(() => random() < 0.4))
      editor.press(names[Math.floor(random() * names.length)] ?? 'copy')
    }
    const end = JSON.stringify(editor.all)
    while (editor.history.canUndo) editor.press('undo')
    expect(JSON.stringify(editor.all)).toBe(start)
    while (editor.history.canRedo) editor.press('redo')
    expect(JSON.stringify(editor.all)).toBe(end)
  })

  it('reports all that is needed to build the same elsewhere', () => {
    const editor = three().drag([15, 15], [60, 60]).press('duplicate', 'front', 'undo', 'label_2', 'delete', 'undo')
    const other = new CanvasDocument([box('a', 10, 10), box('b', 30, 20), box('c', 200, 200)])
    for (const operation of JSON.parse(JSON.stringify(editor.operations)) as Operation[]) other.apply(operation)
    expect(other.objects()).toEqual(editor.all)
  })
})

describe('changes of somebody else', () => {
  it('are not ours to undo, and stay when we take ours back', () => {
    const editor = three()
    editor.selection.set(['a'])
    editor.press('label_2', 'leap_right')
    editor.applyRemote([{ type: 'update', id: 'a', patch: { x: 99 } }])
    editor.press('undo')
    expect(editor.document.get('a')).toMatchObject({ x: 99, label: 'cat' })
  })

  it('end a drag of what they removed', () => {
    const editor = three().down(15, 15).move(50, 50)
    editor.applyRemote([{ type: 'remove', id: 'a' }])
    editor.up(50, 50)
    expect(order(editor)).toBe('bc')
    expect(editor.drafts.size).toBe(0)
    editor.press('undo', 'redo')
    expect(order(editor)).toBe('bc')
  })

  it('merge with a drag that goes on, field by field', () => {
    const editor = three().down(15, 15).move(50, 50)
    editor.applyRemote([{ type: 'update', id: 'a', patch: { label: 'dog' } }])
    editor.up(50, 50)
    expect(editor.document.get('a')).toMatchObject({ label: 'dog', x: 45, y: 45 })
  })
})

describe('order', () => {
  it('goes up, down, to the front and to the back', () => {
    const editor = three()
    editor.selection.set(['a'])
    expect(order(editor.press('up'))).toBe('bac')
    expect(order(editor.press('front'))).toBe('bca')
    expect(order(editor.press('down'))).toBe('bac')
    expect(order(editor.press('back'))).toBe('abc')
    expect(order(editor.press('down'))).toBe('abc')
    editor.selection.set(['a', 'b'])
    expect(order(editor.press('front'))).toBe('cab')
    expect(order(editor.press('undo'))).toBe('abc')
  })
})

describe('copying', () => {
  it('puts copies aside, each further, with names of their own', () => {
    const editor = three().click(15, 15).press('copy', 'paste', 'paste')
    expect(editor.all.slice(3)).toMatchObject([
      { x: 24, y: 24 },
      { x: 38, y: 38 },
    ])
    expect(new Set(editor.document.order).size).toBe(5)
    expect(editor.selection.size).toBe(1)
  })

  it('carries objects to the next picture, where they stood, within its border', () => {
    const clipboard = new Clipboard()
    const editor = new TestEditor({ objects: [box('a', 10, 10), box('c', 350, 250)], clipboard }).press('select_all', 'copy')
    editor.open({ width: 300, height: 200 }, [])
    editor.press('paste')
    expect(editor.all).toMatchObject([{ width: 40 }, { x: 260, y: 170 }])
    expect(editor.history.depth).toBe(1)
  })
})

describe('the camera', () => {
  it('keeps the point under the pointer while zooming', () => {
    const { viewport } = three()
    const before = viewport.toPicture({ x: 300, y: 200 })
    viewport.zoomBy(3, { x: 300, y: 200 })
    expect(viewport.toPicture({ x: 300, y: 200 }).x).toBeCloseTo(before.x, 9)
    expect(viewport.camera.zoom).toBeCloseTo(3, 9)
  })

  it('has a largest and a smallest zoom, and never loses the picture', () => {
    const { viewport } = three()
    viewport.zoomBy(1e6)
    expect(viewport.camera.zoom).toBe(64)
    viewport.zoomBy(1e-9)
    expect(viewport.camera.zoom).toBeGreaterThan(0.1)
    viewport.panBy({ x: 1e6, y: -1e6 })
    const corner = viewport.toScreen({ x: 0, y: 300 })
    expect(corner.x).toBeLessThan(800)
    expect(corner.y).toBeGreaterThan(0)
  })

  it('fits, and stays fitted when the window changes', () => {
    const { viewport } = three()
    viewport.fit()
    viewport.resize({ width: 432, height: 1000 })
    expect(viewport.camera.zoom).toBeCloseTo(1, 9)
  })
})

describe('reading and writing', () => {
  it('keeps annotations as they were; parts of one object stay together', () => {
    const ring: [number, number][] = [
      [0, 0],
      [10, 0],
      [10, 10],
    ]
    const annotations = [
      { kind: 'class', label: 'x' } as const,
      {
        kind: 'box',
        id: 'b',
        label: 'cat',
        x: 1,
        y: 2,
        width: 3,
        height: 4,
        score: 0.5,
        attributes: [{ name: 'far', value: true }],
      } as const,
      { kind: 'polygon', id: 'p', label: 'cat', points: ring, holes: [ring] } as const,
      { kind: 'polygon', id: 'p', label: 'cat', points: ring, holes: [] } as const,
    ]
    const { objects, rest } = objectsFrom(annotations as never)
    expect(objects.map(({ id }) => id)).toEqual(['b', 'p'])
    expect([...rest, ...annotationsFrom(objects)]).toEqual(annotations)
  })

  it('gives names to objects without one, or with one that is taken', () => {
    let count = 0
    const added = [box('a', 0, 0), { ...box('', 1, 1), id: null }, box('a', 2, 2)]
    const { objects } = objectsFrom(added as never, () => `new${(count += 1)}`)
    expect(objects.map(({ id }) => id)).toEqual(['a', 'new1', 'new2'])
  })
})

it('changes nothing when only looked at', () => {
  const editor = new TestEditor({ objects: [box('a', 10, 10)], isReadOnly: true }).press('tool_box').drag([100, 100], [150, 150])
  editor.press('tool_select').drag([20, 20], [90, 90]).press('select_all', 'delete', 'duplicate')
  expect(editor.all).toEqual([box('a', 10, 10)])
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

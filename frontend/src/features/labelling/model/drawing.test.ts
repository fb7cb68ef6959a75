import { beforeEach, describe, expect, it } from 'vitest'

import type { ItemAnnotations } from '../../../answers/annotations'
import { TestEditor } from '../../../canvas/test-editor'
import type { Annotation } from '../../../lib/api/types'
import { Drawing, stepsTo } from './drawing'
import type { Shown } from './operation'

const box = (id: string | null, x: number, more: object = {}): Annotation => ({
  kind: 'box',
  ...(id === null ? {} : { id }),
  label: 'cat',
  x,
  y: 10,
  width: 30,
  height: 20,
  ...more,
})
const item = (id: string) => ({ id, media: { width: 400, height: 300, format: 'png', size_bytes: 1 } })

let canvas: TestEditor
let drawing: Drawing
let changes: ItemAnnotations[]
/** The picture's annotations, as the labelling editor holds them. */
let annotations: ItemAnnotations
let seen: Shown | null

beforeEach(() => {
  canvas = new TestEditor()
  changes = []
  drawing = new Drawing(canvas, (next, shown) => {
    changes.push(next)
    seen = shown
    annotations = next
    drawing.show(item('a'), next)
  })
})

function open(first: ItemAnnotations, id = 'a'): void {
  annotations = first
  drawing.show(item(id), first)
}
const draw = (from: [number, number], to: [number, number]) => {
  canvas.press('tool_box').drag(from, to)
}

describe('Drawing', () => {
  it('writes each gesture once, and only what it changed', () => {
    open([box('b', 10), box(null, 60)])
    draw([100, 100], [150, 140])
    expect(changes).toHaveLength(1)
    expect(annotations?.slice(0, 2)).toEqual([box('b', 10), box(null, 60)])
    expect(annotations?.[2]).toMatchObject({ kind: 'box', label: 'cat', x: 100, y: 100, width: 50, height: 40 })
    expect(annotations?.[2]?.id).toBeTruthy()
    canvas.press('tool_select').drag([70, 20], [90, 40])
    expect(changes).toHaveLength(2)
    expect(annotations?.[1]).toMatchObject({ x: 80, y: 30 })
    expect(annotations?.[1]?.id).toBeTruthy()
    canvas.press('undo', 'undo')
    expect(annotations).toMatchObject([box('b', 10), box(null, 60)])
  })

  it('distinguishes empty from unlabelled, through undo and redo', () => {
    open(null)
    draw([10, 10], [50, 50])
    canvas.press('undo')
    expect(annotations).toBeNull()
    drawing.nothing()
    expect(annotations).toEqual([])
    drawing.clear()
    expect(annotations).toBeNull()
    canvas.press('redo')
    drawing.nothing()
    expect([annotations, canvas.document.size]).toEqual([[], 0])
    canvas.press('undo')
    expect(annotations).toHaveLength(1)
    canvas.press('redo')
    expect(annotations).toEqual([])
  })

  it('leaves a picture unlabelled whose last box is removed by hand', () => {
    open([box('b', 10)])
    canvas.press('tool_select', 'select_all', 'delete')
    expect(annotations).toBeNull()
  })

  it('takes over the changes of others without losing the stroke and the way back', () => {
    open([box('b', 10), box('c', 60)])
    canvas.press('tool_select').drag([70, 20], [90, 20])
    canvas.press('escape', 'tool_box').down(200, 200).move(220, 220)
    const before = canvas.document
    open([box('d', 120), box('b', 10, { label: 'dog' }), box('c', 80)])
    expect(canvas.document).toBe(before)
    expect(canvas.document.order).toEqual(['d', 'b', 'c'])
    expect(canvas.document.get('b')?.label).toBe('dog')
    canvas.move(240, 240).up(240, 240)
    expect(annotations).toHaveLength(4)
    canvas.press('undo', 'undo')
    expect(annotations).toEqual([box('d', 120), box('b', 10, { label: 'dog' }), box('c', 60)])
  })

  it('opens the next picture with a history of its own', () => {
    open([box('b', 10)])
    canvas.press('tool_select', 'select_all', 'move_right')
    open([box('z', 5)], 'other')
    canvas.press('undo')
    expect(canvas.document.objects()).toEqual([box('z', 5)])
    expect(changes).toHaveLength(1)
  })

  it('drops the score of what a person moves, and of nothing else', () => {
    open([box('b', 10, { score: 0.8 }), box('c', 60, { score: 0.7 })])
    canvas.press('tool_select').drag([25, 20], [25, 60])
    expect(annotations?.map(({ score }) => score ?? null)).toEqual([null, 0.7])
    canvas.press('undo')
    expect(annotations?.map(({ score }) => score ?? null)).toEqual([0.8, 0.7])
  })

  it('proposes what is sure enough and makes it the person’s own without a score', () => {
    open(null)
    drawing.suggest({ by: 'model:m', annotations: [0.9, 0.6, 0.2].map((score, index) => box(null, 10 + 50 * index, { score })) }, 0.5)
    expect([canvas.proposals.length, drawing.numSuggested, canvas.document.size]).toEqual([2, 3, 0])
    canvas.press('tool_select').down(25, 20).up(25, 20)
    expect(annotations).toMatchObject([{ x: 10 }])
    expect(seen).toMatchObject({ by: 'model:m', annotations: [{ x: 10 }, { x: 60 }] })
    expect(canvas.proposals).toHaveLength(1)
    drawing.acceptAll()
    expect(annotations?.map((one) => [one.kind === 'box' && one.x, one.score ?? null])).toEqual([
      [10, null],
      [60, null],
    ])
    canvas.press('undo', 'undo')
    expect([annotations, canvas.proposals.length]).toEqual([null, 2])
  })

  it('copies the boxes of another picture once, under names of their own', () => {
    open([box('b', 10)])
    expect(drawing.copy([box('p', 10), box('q', 60, { score: 0.4 }), box('r', 390)])).toBe(2)
    expect(annotations?.map((one) => one.kind === 'box' && one.x)).toEqual([10, 60, 370])
    expect(annotations?.some(({ id, score }) => score != null || id === 'q' || id === 'r')).toBe(false)
    expect(drawing.copy([box('p', 10), box('q', 60), box('r', 390)])).toBe(0)
    expect(changes).toHaveLength(1)
  })

  it('goes back to an earlier state in one step', () => {
    open([box('b', 10), box('c', 60)])
    drawing.become([box('b', 30)])
    expect(annotations).toEqual([box('b', 30)])
    canvas.press('undo')
    expect(annotations).toEqual([box('b', 10), box('c', 60)])
    drawing.become([])
    expect(annotations).toEqual([])
    drawing.become(null)
    expect(annotations).toBeNull()
  })

  it('gives what came without a name the same one wherever it is read', () => {
    open([box(null, 10, { score: 0.5 })])
    const [name] = canvas.document.order
    open([box(null, 99)], 'other')
    open([box(null, 10)], 'third')
    expect(canvas.document.order).toEqual([name])
  })
})

it('finds the changes between any two states', () => {
  let state = 7
  const random = (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
  const some = () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'].filter(() => random(3) > 0)
    return ids.sort(() => random(3) - 1).map((id) => box(id, random(3) * 10) as never)
  }
  for (let round = 0; round < 300; round += 1) {
    const editor = new TestEditor({ objects: some() })
    const expected = some()
    editor.applyRemote(stepsTo(editor.document, expected))
    expect(editor.document.objects()).toEqual(expected)
  }
})

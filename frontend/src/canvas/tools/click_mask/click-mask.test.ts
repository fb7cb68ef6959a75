import { expect, it } from 'vitest'

import type { AssistClick, AssistState, MaskAssist } from '../../assist/assist'
import { tilesOf } from '../../shapes/mask/shape'
import { MaskTiles } from '../../shapes/mask/tiles'
import { Signal } from '../../signal'
import { TestEditor } from '../../test-editor'

/** Another assist behind the same interface: paints a disc at each positive click and erases one at each negative, on demand. */
class Discs implements MaskAssist {
  readonly changed = new Signal()
  readonly name = 'discs'
  readonly state: AssistState = { name: 'ready' }
  prepared = 0
  isBroken = false
  private open: (() => void)[] = []

  prepare(): void {
    this.prepared += 1
  }

  mask(clicks: readonly AssistClick[]): Promise<MaskTiles> {
    return new Promise((resolve, reject) => {
      this.open.push(() => {
        if (this.isBroken) return reject(new Error('broken'))
        const tiles = new MaskTiles(400, 300)
        for (const { point, isPositive } of clicks) tiles.stroke(point, point, 20, isPositive ? 1 : 0)
        resolve(tiles)
      })
    })
  }

  /** Answers all requests, optionally the last first. */
  async answer(isLastFirst = false): Promise<void> {
    const open = this.open.splice(0)
    for (const each of isLastFirst ? open.reverse() : open) each()
    await new Promise((done) => setTimeout(done))
  }
}

function begun() {
  const assist = new Discs()
  const editor = new TestEditor()
  editor.setAssist(assist)
  editor.press('tool_click_mask')
  return { assist, editor }
}

const previewOf = (editor: TestEditor) => {
  const { preview } = editor
  if (preview?.kind !== 'clicks') throw new Error(`no clicks but ${preview?.kind}`)
  return preview
}

it('is not there without an assist, and loads it when it is picked up', () => {
  const editor = new TestEditor().press('tool_click_mask')
  expect(editor.tool.name).toBe('select')
  expect(begun().assist.prepared).toBe(1)
})

it('shows clicks at once, the mask when it comes, and accepts it as one step', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100)
  expect(previewOf(editor)).toMatchObject({ isWaiting: true, clicks: [{ isPositive: true }] })
  await assist.answer()
  editor.click(130, 100).click(100, 110, { alt: true })
  await assist.answer()
  expect(previewOf(editor)).toMatchObject({ isWaiting: false, clicks: [{}, {}, { isPositive: false }] })
  expect(editor.all).toEqual([])
  editor.press('enter')
  const mask = editor.only('mask')
  expect(mask).toMatchObject({ label: 'cat', drawn_with: 'discs' })
  expect([tilesOf(mask).has(140, 100), tilesOf(mask).has(100, 115)]).toEqual([true, false])
  expect(editor.selection.only).toBe(mask.id)
  editor.press('undo')
  expect(editor.all).toEqual([])
})

it('takes clicks back one by one, then stops', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100).click(200, 100)
  await assist.answer()
  editor.press('delete')
  await assist.answer()
  expect(previewOf(editor).clicks).toHaveLength(1)
  const { object } = previewOf(editor)
  expect(object && tilesOf(object).has(200, 100)).toBe(false)
  editor.press('delete')
  expect([editor.preview, editor.machine.state]).toEqual([null, 'idle'])
})

it('believes the answer to the last click, in whatever order answers come', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100).click(200, 100)
  await assist.answer(true)
  const { object } = previewOf(editor)
  expect(object && tilesOf(object).has(200, 100)).toBe(true)
})

it('waits for the answer when Enter comes before it', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100).press('enter')
  expect(editor.all).toEqual([])
  await assist.answer()
  expect(editor.all).toHaveLength(1)
})

it('is thrown away by Escape, and an answer that comes too late does nothing', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100).press('escape')
  await assist.answer()
  expect([editor.all, editor.preview, editor.tool.name]).toEqual([[], null, 'click_mask'])
})

it('becomes a polygon on demand', async () => {
  const { assist, editor } = begun()
  editor.click(100, 100)
  await assist.answer()
  editor.press('to_polygon')
  expect(editor.only('polygon')).toMatchObject({ label: 'cat', drawn_with: 'discs' })
})

it('is used by keys alone', async () => {
  const { assist, editor } = begun()
  editor.press('leap_right', 'enter')
  await assist.answer()
  expect(previewOf(editor).clicks).toHaveLength(1)
  editor.press('enter')
  expect(editor.only('mask').kind).toBe('mask')
})

it('keeps the clicks when the assist fails, and accepts nothing', async () => {
  const { assist, editor } = begun()
  assist.isBroken = true
  editor.click(100, 100)
  await assist.answer()
  editor.press('enter')
  expect([editor.all.length, previewOf(editor).clicks.length]).toEqual([0, 1])
  assist.isBroken = false
  editor.click(110, 100)
  await assist.answer()
  editor.press('enter')
  expect(editor.all).toHaveLength(1)
})

it('ignores clicks beside the picture', () => {
  const { editor } = begun()
  editor.click(-10, 100)
  expect(editor.machine.state).toBe('idle')
})

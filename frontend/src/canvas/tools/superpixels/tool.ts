/** A click paints a superpixel, a drag all that it passes over; with Alt they are wiped. One step of the history. */
import type { PicturePoint } from '../../coordinates'
import type { Editor } from '../../editor'
import { makeId, type MaskObject } from '../../object'
import { Painting } from '../../painting'
import type { Tool } from '../../shape'
import { sketchedWith } from '../../shapes/mask/shape'
import { maskToGoOn, maskUnder } from '../../shapes/mask/stroke'
import type { PointerInput, StateNode } from '../../state-node'
import type { Cells } from '../../superpixels/cells'

const DRAWN_WITH = 'superpixels'

function idle(editor: Editor): StateNode {
  let lit: { cells: Cells; cell: number; object: MaskObject } | null = null
  return {
    name: 'idle',
    onEnter: () => editor.superpixels?.prepare(editor.paint.superpixel),
    onPointerMove: ({ point, alt }) => {
      const cells = editor.superpixels?.cells
      const cell = cells?.at(point) ?? -1
      if (!cells || cell < 0) lit = null
      else if (lit?.cells !== cells || lit.cell !== cell || lit.object.label !== editor.label) {
        lit = { cells, cell, object: litOf(editor, cells, cell) }
      }
      editor.sketch({ preview: lit && { kind: 'superpixel', lit: lit.object, isErasing: alt } })
    },
    onPointerDown: (input, go) => {
      const cells = editor.superpixels?.cells
      if (!cells || cells.at(input.point) < 0) return
      const target = input.alt ? maskUnder(editor, input.point) : maskToGoOn(editor)
      if (target || !input.alt) go(painting(editor, cells, input, target))
    },
    onExit: () => editor.sketch({ preview: null }),
  }
}

function litOf(editor: Editor, cells: Cells, cell: number): MaskObject {
  const { width, height } = editor.viewport.picture
  return sketchedWith({ kind: 'mask', id: makeId(), label: editor.label, width, height, counts: '' }, cells.area(cell))
}

function painting(editor: Editor, cells: Cells, first: PointerInput, target: MaskObject | null): StateNode {
  const isErasing = first.alt
  const painted = new Painting(editor, target, { drawn_with: DRAWN_WITH })
  const done = new Set<number>()
  let last = first.point
  const pass = (to: PicturePoint) => {
    const fresh = cells.along(last, to).filter((cell) => !done.has(cell))
    last = to
    for (const cell of fresh) {
      done.add(cell)
      if (isErasing) painted.remove(cells.area(cell))
      else painted.add(cells.area(cell))
    }
    if (fresh.length === 0) return
    const { drafts, object } = painted.sketch()
    editor.sketch({ preview: object ? { kind: 'object', object } : null, drafts })
  }
  return {
    name: 'painting',
    onEnter: () => pass(first.point),
    onPointerMove: ({ point }) => pass(point),
    onPointerUp: (_, go) => {
      go(idle(editor))
      painted.commit()
    },
    onCancel: (go) => {
      go(idle(editor))
      return true
    },
    onExit: () => editor.sketch({ preview: null, drafts: new Map() }),
  }
}

export default { name: 'superpixels', order: 21, makes: 'mask', isHeld: true, needs: 'superpixels', start: idle } satisfies Tool

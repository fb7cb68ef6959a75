/** Clicks at one object, and what an assist makes of them: further clicks add what is missing, with Alt leave out what is too much. */
import type { AssistClick, MaskAssist } from './assist/assist'
import { polygonOf } from './assist/outline'
import type { Editor } from './editor'
import { makeId, type MaskObject } from './object'
import { Painting } from './painting'
import { sketchedWith, withTiles } from './shapes/mask/shape'
import type { MaskTiles } from './shapes/mask/tiles'
import type { Go, PointerInput, StateNode } from './state-node'

type Form = 'mask' | 'polygon'

/** The assist may be another one after the picture has changed. */
type AssistOf = () => MaskAssist | null

export const idleClicks = (editor: Editor, assistOf: AssistOf): StateNode => ({
  name: 'idle',
  onEnter: () => assistOf()?.prepare(),
  onPointerDown: (input, go) => {
    if (assistOf() && !input.alt && isOnPicture(editor, input)) go(clicking(editor, assistOf, input))
  },
})

const isOnPicture = (editor: Editor, { point: { x, y } }: PointerInput) => {
  const { width, height } = editor.viewport.picture
  return x >= 0 && y >= 0 && x < width && y < height
}

const clickOf = ({ point, alt }: PointerInput): AssistClick => ({ point: { x: point.x, y: point.y }, isPositive: !alt })

function clicking(editor: Editor, assistOf: AssistOf, first: PointerInput): StateNode {
  const { width, height } = editor.viewport.picture
  const view = editor.viewport.visible
  const fresh: MaskObject = { kind: 'mask', id: makeId(), label: editor.label, width, height, counts: '' }
  const clicks: AssistClick[] = [clickOf(first)]
  let tiles: MaskTiles | null = null
  let [latest, isWaiting, isOver] = [0, false, false]
  /** Accepted before the answer to the last click came. */
  let pendingAccept: { form: Form; go: Go } | null = null

  const show = () => {
    const object = tiles && sketchedWith({ ...fresh, label: editor.label }, tiles)
    editor.sketch({ preview: { kind: 'clicks', clicks: [...clicks], isWaiting, ...(object && { object }) } })
  }
  const ask = async () => {
    const number = (latest += 1)
    isWaiting = true
    show()
    let result: MaskTiles | null = null
    try {
      result = (await assistOf()?.mask([...clicks], view)) ?? null
    } catch {
      if (number === latest) pendingAccept = null // the assist's state holds the error; the clicks stay for another try
    }
    if (isOver || number !== latest) return
    isWaiting = false
    tiles = result
    show()
    if (pendingAccept) accept(pendingAccept.form, pendingAccept.go)
  }
  const accept = (form: Form, go: Go) => {
    if (isWaiting) {
      pendingAccept = { form, go }
      return
    }
    if (!tiles || tiles.isEmpty) return
    const drawn_with = assistOf()?.name
    const common = { label: editor.label, ...(drawn_with && { drawn_with }) }
    const found = tiles
    go(idleClicks(editor, assistOf))
    if (form === 'polygon') return editor.add(polygonOf(withTiles({ ...fresh, ...common }, found), editor.viewport.length(1)))
    const painting = new Painting(editor, null, common)
    painting.add(found.copy())
    painting.commit()
  }
  return {
    name: 'clicking',
    onEnter: () => void ask(),
    onPointerDown: (input) => {
      if (!isOnPicture(editor, input)) return
      clicks.push(clickOf(input))
      pendingAccept = null
      void ask()
    },
    onComplete: (go) => {
      accept('mask', go)
      return true
    },
    onSwitch: (name, go) => {
      if (name === 'tolerance') {
        void ask()
        return true
      }
      if (name !== 'polygon') return false
      accept('polygon', go)
      return true
    },
    onRemoveLast: (go) => {
      clicks.pop()
      pendingAccept = null
      if (clicks.length === 0) go(idleClicks(editor, assistOf))
      else void ask()
      return true
    },
    onCancel: (go) => {
      go(idleClicks(editor, assistOf))
      return true
    },
    onExit: () => {
      isOver = true
      editor.sketch({ preview: null })
    },
  }
}

/**
 * The points of the label's skeleton, one click each, in its order. `hidden` means that the next ones are there but not to be
 * seen, `skip` that the next one is not in the picture. Enter ends early: what was not placed is absent.
 */
import type { Keypoint } from '../../../lib/api/types'
import type { PicturePoint } from '../../coordinates'
import { placed } from '../../draw'
import type { Editor } from '../../editor'
import { tupleOf } from '../../geometry'
import { type KeypointsObject, makeId } from '../../object'
import type { Tool } from '../../shape'
import type { Go, PointerInput, StateNode } from '../../state-node'

const ABSENT = { x: 0, y: 0, visibility: 0 } as const

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: (input, go) => {
    const names = namesFor(editor)
    if (names) placing(editor, names, input, go)
  },
})

/** The points of the current label; without a skeleton the first label that has one becomes current. */
function namesFor(editor: Editor): readonly string[] | null {
  const own = editor.labelNamed(editor.label)?.skeleton
  const label = own ? editor.label : editor.labels.find(({ skeleton }) => skeleton)?.name
  if (!label) return null
  if (label !== editor.label) editor.chooseLabel(label)
  return editor.labelNamed(label)?.skeleton?.points ?? null
}

function placing(editor: Editor, names: readonly string[], first: PointerInput, begin: Go): void {
  const points: Keypoint[] = []
  const id = makeId()
  let isHidden = false
  const objectWith = (all: readonly Keypoint[]): KeypointsObject => ({
    kind: 'keypoints',
    id,
    label: editor.label,
    points: names.map((name, index) => all[index] ?? { name, ...ABSENT }),
  })
  const next = (point: PicturePoint): Keypoint => {
    const [x, y] = tupleOf(placed(editor, point))
    return { name: names[points.length] ?? '', x, y, visibility: isHidden ? 1 : 2 }
  }
  const show = (point: PicturePoint | null) => {
    const all = point && points.length < names.length ? [...points, next(point)] : points
    editor.nextKeypoint = names[points.length] ?? null
    editor.sketch({ preview: { kind: 'object', object: objectWith(all) } })
  }
  const end = (go: Go): boolean => {
    const isSomething = points.some(({ visibility }) => visibility > 0)
    if (isSomething) editor.add(objectWith(points))
    go(idle(editor))
    return true
  }
  const put = (point: Keypoint, go: Go) => {
    points.push(point)
    if (points.length === names.length) end(go)
    else show(editor.cursor)
  }
  begin({
    name: 'placing',
    onPointerMove: ({ point }) => show(point),
    onPointerDown: ({ point, alt }, go) => put({ ...next(point), ...(alt ? { visibility: 1 as const } : {}) }, go),
    onComplete: end,
    onRemoveLast: (go) => {
      points.pop()
      if (points.length === 0) go(idle(editor))
      else show(editor.cursor)
      return true
    },
    onSwitch: (name, go) => {
      if (name === 'hidden') isHidden = !isHidden
      if (name === 'skip') put({ name: names[points.length] ?? '', ...ABSENT }, go)
      else show(editor.cursor)
      return true
    },
    onCancel: (go) => {
      go(idle(editor))
      return true
    },
    onExit: () => editor.sketch({ preview: null }),
  })
  editor.machine.pointerDown(first)
}

export default { name: 'keypoints', order: 15, makes: 'keypoints', switches: ['hidden', 'skip'], start: idle } satisfies Tool

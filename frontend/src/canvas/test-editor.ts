/** Drives an editor as hands and keys would, without a browser. */
import { ACTIONS } from './actions'
import type { PicturePoint } from './coordinates'
import type { Operation } from './document'
import { Editor, type EditorOptions } from './editor'
import { inputAt } from './keyboard'
import type { CanvasObject, Kind } from './object'

export const LABELS = [
  { name: 'cat', color: '#3b76f6' },
  { name: 'dog', color: '#e8590c' },
  {
    name: 'person',
    color: '#2b8a3e',
    skeleton: {
      points: ['head', 'hand', 'foot'],
      edges: [
        { start: 'head', end: 'hand' },
        { start: 'hand', end: 'foot' },
      ],
    },
  },
]

interface Keys {
  shift?: boolean
  alt?: boolean
  clicks?: number
}

export class TestEditor extends Editor {
  readonly operations: Operation[] = []

  /** A picture of 400 x 300, shown pixel by pixel, unless set otherwise. */
  constructor(options: Partial<EditorOptions> = {}) {
    super({ picture: { width: 400, height: 300 }, labels: LABELS, ...options })
    this.viewport.resize({ width: 800, height: 600 })
    this.viewport.actualSize()
    this.onOperations((operations) => this.operations.push(...operations))
  }

  private at(point: PicturePoint, { shift = false, alt = false, clicks = 1 }: Keys) {
    return { ...inputAt(this, point, { shift, alt }), clicks }
  }

  down(x: number, y: number, keys: Keys = {}): this {
    this.pointerMove(this.at({ x, y }, keys))
    this.pointerDown(this.at({ x, y }, keys))
    return this
  }

  move(x: number, y: number, keys: Keys = {}): this {
    this.pointerMove(this.at({ x, y }, keys))
    return this
  }

  up(x: number, y: number, keys: Keys = {}): this {
    this.pointerUp(this.at({ x, y }, keys))
    return this
  }

  click(x: number, y: number, keys: Keys = {}): this {
    return this.down(x, y, keys).up(x, y, keys)
  }

  drag(from: [number, number], to: [number, number], keys: Keys = {}): this {
    this.down(...from, keys)
    this.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, keys)
    return this.move(...to, keys).up(...to, keys)
  }

  /** Runs actions by their names in the shortcut map. */
  press(...names: string[]): this {
    for (const name of names) {
      const action = ACTIONS[name]
      if (!action) throw new Error(`no action ${name}`)
      action(this, { shift: false, alt: false })
    }
    return this
  }

  get all(): CanvasObject[] {
    return this.document.objects()
  }

  /** The one object there is. */
  only<K extends Kind>(kind: K): Extract<CanvasObject, { kind: K }> {
    const [object] = this.all
    if (this.all.length !== 1 || object?.kind !== kind) throw new Error(`expected one ${kind}, found ${JSON.stringify(this.all)}`)
    return object as Extract<CanvasObject, { kind: K }>
  }
}

export const box = (id: string, x: number, y: number, width = 40, height = 30, label = 'cat'): CanvasObject => ({
  kind: 'box',
  id,
  label,
  x,
  y,
  width,
  height,
})

/**
 * The editor of one picture's objects: no React, no Konva, no DOM, so that tests and other views can drive it.
 *
 * All changes of objects go through `commit` as operations: one call is one step of the history and one event for the journal.
 * While a gesture lasts, the changed objects stand in `drafts`; they are committed when it ends, or dropped by Escape.
 */
import { Appearance } from './appearance'
import type { MaskAssist } from './assist/assist'
import { Clipboard } from './clipboard'
import type { ColorTiles } from './colors/color-tiles'
import { RegionAssist } from './colors/region-assist'
import type { PicturePoint, Size } from './coordinates'
import { CanvasDocument, idOf, type Operation, patchBetween, unscored } from './document'
import { type Change, History } from './history'
import type { CanvasLabel } from './label'
import type { CanvasObject } from './object'
import { PaintSettings } from './paint-settings'
import { Selection } from './selection'
import type { Preview, Tool } from './shape'
import { toolNamed } from './shapes'
import { Signal } from './signal'
import { SpatialIndex } from './spatial-index'
import { Machine, type PointerInput } from './state-node'
import type { Superpixels } from './superpixels/superpixels'
import { Viewport } from './viewport'

export type Origin = 'local' | 'remote'
type OperationListener = (operations: readonly Operation[], origin: Origin) => void

export interface EditorOptions {
  picture: Size
  objects?: readonly CanvasObject[]
  labels?: readonly CanvasLabel[]
  clipboard?: Clipboard
  isReadOnly?: boolean
}

const SMALLEST_FIRST_BRUSH = 12
/** Of the picture's shorter side: what is seen well when all of the picture is on the screen. */
const FIRST_BRUSH_SHARE = 1 / 50

const firstBrush = ({ width, height }: Size) => Math.max(SMALLEST_FIRST_BRUSH, Math.round(Math.min(width, height) * FIRST_BRUSH_SHARE))

export class Editor {
  document: CanvasDocument
  readonly changed = new Signal()
  /** What the tool shows, the drafts, the cursor. */
  readonly sketched = new Signal()
  readonly toolChanged = new Signal()
  readonly labelsChanged = new Signal()
  readonly proposalsChanged = new Signal()
  readonly selection = new Selection()
  readonly appearance = new Appearance()
  readonly paint = new PaintSettings()
  readonly index = new SpatialIndex()
  readonly viewport: Viewport
  readonly clipboard: Clipboard
  readonly history = new History()
  readonly isReadOnly: boolean

  labels: readonly CanvasLabel[]
  /** The name of the label that new objects get. */
  label: string
  tool: Tool
  machine: Machine
  preview: Preview | null = null
  /** What a model proposes: drawn dashed, and no object before a person takes it. */
  proposals: readonly CanvasObject[] = []
  /** Objects as a gesture has made them so far. */
  drafts: ReadonlyMap<string, CanvasObject> = new Map()
  /** Where the pointer stands, or where the arrow keys put it; null when it is elsewhere. */
  cursor: PicturePoint | null = null
  /** The cursor was moved by the arrow keys since it last placed something. */
  isCursorByKeys = false
  hovered: string | null = null
  /** The handle that keys such as Delete and V mean. */
  activeHandle: { id: string; name: string } | null = null
  /** The space bar is held: any drag moves the picture. */
  isPanHeld = false
  /** While keypoints are placed: the name of the one that the next click puts down. */
  nextKeypoint: string | null = null
  /** Pixels of the picture. */
  brushRadius = SMALLEST_FIRST_BRUSH
  /** Somebody has chosen the brush's size, so another picture keeps it. */
  hasOwnBrush = false
  /** Where the last stroke on this picture ended: with Shift a straight line goes on from there. */
  strokeEnd: PicturePoint | null = null
  /** Makes masks from clicks; null where there is none. */
  assist: MaskAssist | null = null
  /** The picture's colours, and areas of like ones; null while there is no picture. */
  colors: ColorTiles | null = null
  regions: MaskAssist | null = null
  /** The picture's superpixels; null while there is no picture. */
  superpixels: Superpixels | null = null
  /** The object that the last click chose: another click at the same place goes on to the one below. */
  lastClicked: string | null = null
  private readonly listeners = new Set<OperationListener>()

  constructor({ picture, objects = [], labels = [], clipboard = new Clipboard(), isReadOnly = false }: EditorOptions) {
    this.document = new CanvasDocument(objects)
    this.index.load(objects)
    this.viewport = new Viewport(picture)
    this.brushRadius = firstBrush(picture)
    this.labels = labels
    this.label = labels[0]?.name ?? ''
    this.clipboard = clipboard
    this.isReadOnly = isReadOnly
    this.tool = toolNamed('select')
    this.machine = this.started(this.tool)
  }

  /** Another picture. Tool, label, clipboard and looks stay. */
  open(picture: Size, objects: readonly CanvasObject[]): void {
    this.machine.reset()
    this.document = new CanvasDocument(objects)
    this.index.load(objects)
    this.history.clear()
    this.cursor = this.hovered = this.activeHandle = this.strokeEnd = null
    if (!this.hasOwnBrush) this.brushRadius = firstBrush(picture)
    this.selection.clear()
    this.appearance.forgetObjects()
    this.viewport.setPicture(picture)
    this.sketch({ preview: null, drafts: new Map() })
    this.changed.emit()
  }

  setLabels(labels: readonly CanvasLabel[]): void {
    this.labels = labels
    if (!labels.some(({ name }) => name === this.label)) this.label = labels[0]?.name ?? ''
    this.labelsChanged.emit()
    this.sketched.emit()
  }

  chooseLabel(name: string): void {
    this.label = name
    this.labelsChanged.emit()
  }

  labelNamed(name: string): CanvasLabel | undefined {
    return this.labels.find((label) => label.name === name)
  }

  /** How far above others an object lies: by its place, or first by its label's place in the list; below what does not count. */
  level(object: CanvasObject, place = this.document.place(object.id)): number {
    if (!this.paint.isByLabel) return place
    const { labels } = this
    const at = labels.findIndex(({ name, isHatched }) => name === object.label && !isHatched)
    return (at < 0 ? labels.length : labels.length - 1 - at) * (this.document.size + 1) + place
  }

  /** Objects from the bottom to the top; all of them unless some are named. */
  fromBelow(ids: readonly string[] = this.document.order): CanvasObject[] {
    return ids.flatMap((id) => this.document.get(id) ?? []).sort((one, other) => this.level(one) - this.level(other))
  }

  chooseTool(name: string): void {
    const tool = toolNamed(name)
    if ((this.isReadOnly && tool.makes) || (tool.needs && !this[tool.needs])) return
    this.machine.reset()
    this.sketch({ preview: null, drafts: new Map() })
    this.tool = tool
    this.machine = this.started(tool)
    this.toolChanged.emit()
  }

  /** What helps with the picture that is shown now. */
  setAssist(assist: MaskAssist | null): void {
    this.assist = assist
    if (this.tool.needs === 'assist') this.machine.reset()
    this.toolChanged.emit()
  }

  /** Where the colours of the picture that is shown now come from. */
  setColors(colors: ColorTiles | null): void {
    this.colors = colors
    this.regions = colors && new RegionAssist(colors, () => this.paint.tolerance)
    if (this.tool.needs === 'regions') this.machine.reset()
    this.toolChanged.emit()
  }

  /** The superpixels of the picture that is shown now. */
  setSuperpixels(superpixels: Superpixels | null): void {
    this.superpixels = superpixels
    if (this.tool.needs === 'superpixels') this.machine.reset()
    this.toolChanged.emit()
  }

  holdPan(isHeld: boolean): void {
    if (this.isPanHeld === isHeld) return
    this.isPanHeld = isHeld
    this.toolChanged.emit()
  }

  /** The object as it stands now, in the middle of a gesture too. */
  shown(id: string): CanvasObject | undefined {
    return this.drafts.get(id) ?? this.document.get(id)
  }

  /** Makes a person's changes: one step to undo, one event. Returns whether anything changed. */
  commit(operations: readonly Operation[]): boolean {
    if (this.isReadOnly) return false
    const changes = operations.flatMap((each): Change[] => {
      const operation = unscored(each, this.document.get(idOf(each)))
      const inverse = this.document.apply(operation)
      return inverse ? [{ operation, inverse }] : []
    })
    this.history.push(changes)
    this.onChanges(changes, 'local')
    return changes.length > 0
  }

  /** Makes the changes of somebody else; they are not ours to undo. */
  applyRemote(operations: readonly Operation[]): void {
    const changes = operations.flatMap((operation): Change[] => {
      const inverse = this.document.apply(operation)
      return inverse ? [{ operation, inverse }] : []
    })
    const gone = [...this.drafts.keys()].filter((id) => !this.document.get(id))
    if (gone.length > 0) this.machine.reset()
    this.onChanges(changes, 'remote')
  }

  undo(): void {
    this.machine.reset()
    this.onChanges(this.history.undo(this.document), 'local')
  }

  redo(): void {
    this.machine.reset()
    this.onChanges(this.history.redo(this.document), 'local')
  }

  /** Hears every change as it is made; returns the way to stop. */
  onOperations(listener: OperationListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** What a gesture shows before it is committed. */
  sketch(change: { preview?: Preview | null; drafts?: ReadonlyMap<string, CanvasObject> }): void {
    if (change.preview !== undefined) this.preview = change.preview
    if (change.drafts !== undefined) this.drafts = change.drafts
    this.sketched.emit()
  }

  /** Ends a gesture: the drafts become changes, field by field, so that somebody else's meanwhile stay. */
  commitDrafts(before: ReadonlyMap<string, CanvasObject>): void {
    const operations = [...this.drafts.values()].flatMap((draft): Operation[] => {
      const old = before.get(draft.id)
      return old ? [{ type: 'update', id: draft.id, patch: patchBetween(old, draft) }] : []
    })
    this.drafts = new Map()
    this.commit(operations)
    this.sketched.emit()
  }

  /** Puts new objects on top and chooses them: one step. */
  add(...objects: readonly CanvasObject[]): void {
    let above = this.document.top
    const operations = objects.map((object): Operation => {
      const operation: Operation = { type: 'add', object, above }
      above = object.id
      return operation
    })
    if (this.commit(operations)) this.selection.set(objects.map(({ id }) => id).filter((id) => this.document.get(id)))
  }

  propose(objects: readonly CanvasObject[]): void {
    this.proposals = objects
    this.proposalsChanged.emit()
    this.sketched.emit()
  }

  pointerDown(input: PointerInput): void {
    this.cursor = input.point
    this.machine.pointerDown(input)
  }

  pointerMove(input: PointerInput): void {
    this.cursor = input.point
    this.isCursorByKeys = false
    this.machine.pointerMove(input)
    this.sketched.emit()
  }

  pointerUp(input: PointerInput): void {
    this.machine.pointerUp(input)
  }

  pointerLeave(): void {
    this.cursor = this.hovered = null
    this.sketched.emit()
  }

  private started(tool: Tool): Machine {
    return new Machine(() => tool.start(this))
  }

  private onChanges(changes: readonly Change[], origin: Origin): void {
    if (changes.length === 0) return
    for (const { operation } of changes) {
      const object = this.document.get(idOf(operation))
      if (object) this.index.put(object)
      else this.index.drop(idOf(operation))
    }
    this.selection.set([...this.selection.ids].filter((id) => this.document.get(id)))
    if (this.activeHandle && !this.document.get(this.activeHandle.id)) this.activeHandle = null
    if (this.hovered && !this.document.get(this.hovered)) this.hovered = null
    this.changed.emit()
    const operations = changes.map(({ operation }) => operation)
    for (const listener of this.listeners) listener(operations, origin)
  }
}

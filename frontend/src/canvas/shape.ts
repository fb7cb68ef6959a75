/** What a folder of `shapes/` offers: the geometry and the look of one kind of object, and a tool that draws it. */
import type { AssistClick } from './assist/assist'
import type { Bounds, PicturePoint } from './coordinates'
import type { Editor } from './editor'
import type { CanvasLabel } from './label'
import type { CanvasObject, Kind, MaskObject } from './object'
import type { StateNode } from './state-node'

export interface Handle {
  /** Names the handle within its object, e.g. `ne` or `0/points/3`. */
  name: string
  x: number
  y: number
  /** `middle` makes a new vertex when it is dragged. */
  role: 'corner' | 'vertex' | 'middle' | 'rotate' | 'keypoint'
}

/** Held keys, as far as they change what a handle does. */
export interface Modifiers {
  shift: boolean
  alt: boolean
}

/** The part of a browser's drawing context that shapes use; its unit is the picture's pixel. */
export type Pen = CanvasRenderingContext2D

export interface Painter {
  pen: Pen
  /** Screen pixels per pixel of the picture. */
  zoom: number
  color: string
  fillFraction: number
  isSelected: boolean
  label: CanvasLabel | undefined
  /** The mask as a picture in the colour, in picture coordinates. */
  drawMask(object: MaskObject, color: string, opacity: number): void
  /** Lies over what is filled, where the label's areas are hatched. */
  hatch: CanvasPattern | null
}

export interface Shape<T extends CanvasObject> {
  kind: T['kind']
  bounds(object: T): Bounds
  /** What of the object lies at the point; `tolerance` is in the picture's pixels. */
  hit(object: T, point: PicturePoint, tolerance: number, label?: CanvasLabel): 'edge' | 'inside' | null
  moved(object: T, dx: number, dy: number): T
  handles(object: T, length: (screenPx: number) => number): Handle[]
  /** The object with the handle put elsewhere. `object` is how it was when the drag began. */
  withHandleAt(object: T, handle: string, to: PicturePoint, modifiers: Modifiers): T
  /** Takes a vertex away; null when too few would be left. Absent when the kind has no vertices. */
  withoutVertex?(object: T, handle: string): T | null
  /** Makes a `middle` handle a vertex and returns its name. */
  withVertex?(object: T, handle: string): { object: T; handle: string }
  /** Fewer vertices with nearly the same outline. */
  simplified?(object: T, tolerance: number): T
  paint(painter: Painter, object: T): void
}

export type AnyShape = Shape<CanvasObject>

/** A tool with a disc of a size. */
export const hasBrush = ({ isHeld, needs }: Tool): boolean => Boolean(isHeld) && !needs

export interface Tool {
  /** Equals the folder's name. */
  name: string
  /** Place in the toolbar. Its key stands in `lib/shortcuts/scopes/canvas.ts`. */
  order: number
  /** What the tool makes; absent for tools that only look or choose. */
  makes?: Kind
  /** Held down while it works, as a brush: Enter then puts it down and lifts it. */
  isHeld?: boolean
  /** What of the editor must be there for it; the tool is not offered without. */
  needs?: 'assist' | 'regions' | 'superpixels'
  /** Takes pixels by their colour, as far as the tolerance reaches. */
  hasTolerance?: boolean
  /** Its switches, see `StateNode.onSwitch`. */
  switches?: readonly string[]
  start(editor: Editor): StateNode
}

/** Shown while drawing, before there is an object. */
export type Preview =
  | { kind: 'object'; object: CanvasObject }
  /** An open path from point to point; `canClose` when the next click would close it. */
  | { kind: 'path'; points: readonly PicturePoint[]; label: string; canClose: boolean }
  | { kind: 'marquee'; bounds: Bounds }
  /** Clicks at one object, and the mask that they mean; `isWaiting` while the answer to the last one is not there. */
  | { kind: 'clicks'; clicks: readonly AssistClick[]; isWaiting: boolean; object?: MaskObject }
  /** The superpixel under the pointer, which a click would paint or wipe. */
  | { kind: 'superpixel'; lit: MaskObject; isErasing: boolean }
  /** `from` is where a straight line would begin; `isSmart` when only colours like the middle's are taken. */
  | {
      kind: 'brush'
      at: PicturePoint
      radius: number
      isErasing: boolean
      isSmart: boolean
      from?: PicturePoint | null
      object?: MaskObject
    }

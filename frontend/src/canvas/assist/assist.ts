/** What a tool may ask of whatever makes masks from clicks: the canvas knows this much of it, and neither network nor worker. */
import type { Bounds, PicturePoint } from '../coordinates'
import type { MaskTiles } from '../shapes/mask/tiles'
import type { Signal } from '../signal'

export interface AssistClick {
  point: PicturePoint
  /** Belongs to the object; otherwise it is left out. */
  isPositive: boolean
}

export type AssistState = { name: 'idle' } | { name: 'loading'; fraction: number } | { name: 'ready' } | { name: 'failed'; reason: string }

export interface MaskAssist {
  readonly changed: Signal
  readonly state: AssistState
  /** The provenance of accepted shapes. */
  readonly name: string
  /** Begins to load what is needed, once; again after it failed. */
  prepare(): void
  /**
   * The pixels that the clicks mean. `view` is the part of the picture that the person sees.
   * Rejects when the assist cannot be loaded or the picture cannot be read.
   */
  mask(clicks: readonly AssistClick[], view: Bounds): Promise<MaskTiles>
}

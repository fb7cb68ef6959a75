/** The messages between the page and the worker. */
import type { Bounds } from '../coordinates'
import type { AssistClick } from './assist'

export type ToWorker =
  | { type: 'load' }
  /** The picture that the clicks after it are on; the worker owns the bitmap. */
  | { type: 'picture'; bitmap: ImageBitmap }
  | { type: 'mask'; number: number; clicks: readonly AssistClick[]; view: Bounds }

export type FromWorker =
  | { type: 'loading'; fraction: number }
  | { type: 'ready' }
  | { type: 'failed'; reason: string }
  | { type: 'mask'; number: number; runs: Int32Array }
  | { type: 'no_mask'; number: number; reason: string }

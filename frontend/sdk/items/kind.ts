/** What a kind of items does; the modules of `kinds/` are found by listing. */
import type { InferenceSession, Tensor } from 'onnxruntime-common'

import type { Item, PredictOptions } from '../api'
import type { Size } from '../answers/kind'
import { ModelError } from '../errors'
import type { Manifest } from '../manifest'
import type { Upright } from '../pictures/upright'

/** What differs between a browser and Node.js. */
export interface Platform {
  ort: {
    Tensor: typeof Tensor
    InferenceSession: { create(model: Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession> }
  }
  /** Names interpreter and runtime. */
  environment: string
  providers: string[]
  /** A picture as the graph takes it. */
  picture(item: Item, minSidePx: number): Promise<Upright>
}

/** Items that the graph answers in one run. */
export interface Piece {
  feeds: Record<string, Tensor>
  count: number
  size: Size
}

export interface Reader {
  /** An item to try the graph with. */
  typical(): Promise<Piece>
  /** A golden sample, from its file. */
  sample(bytes: Uint8Array): Promise<Piece>
  /** A golden sample as somebody would give it to `predict`. */
  item(bytes: Uint8Array): Item
  /** Items, one piece after the other. */
  pieces(items: readonly Item[], options: PredictOptions): AsyncIterable<Piece>
}

export interface ItemKind {
  /** Files of the artefact that reading needs. */
  files(decode: Manifest['decode']): string[]
  open(manifest: Manifest, files: ReadonlyMap<string, Uint8Array>, platform: Platform): Reader
}

const KINDS = import.meta.glob<ItemKind>('./kinds/*.ts', { eager: true, import: 'KIND' })

export function itemKind(name: string): ItemKind {
  const kind = KINDS[`./kinds/${name}.ts`]
  if (!kind) throw new ModelError('artefact_unreadable', `items of the kind ${name} are not known`)
  return kind
}

/** Pieces of one item each. */
export async function* oneByOne(items: readonly Item[], read: (item: Item) => Promise<Piece> | Piece): AsyncIterable<Piece> {
  for (const [place, item] of items.entries()) {
    try {
      yield await read(item)
    } catch (error) {
      if (error instanceof ModelError && items.length > 1) throw new ModelError(error.code, error.message, { ...error.facts, item: place })
      throw error
    }
  }
}

/** A trained model that answers on this machine. */

/** Pixels that are decoded already: rows from the top, 3 (RGB) or 4 (RGBA) bytes each. */
export interface Pixels {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
}

/** A cell of a row. */
export type Cell = string | number | boolean | null | undefined

/** A row: cells by the names of their columns. */
export type Row = Record<string, Cell>

/**
 * What a model reads. A picture: a Blob, a file's bytes, pixels, an address (Node.js: a path), or in a page an element or an
 * ImageBitmap. A text: a string. A row: its cells.
 */
export type Item = string | Uint8Array | ArrayBuffer | Blob | Pixels | Row | ImageBitmap | HTMLImageElement | HTMLCanvasElement

/** A label that holds, with its score (0 to 1). */
export interface ClassAnnotation {
  kind: 'class'
  label: string
  score: number
  /** Of a model that finds anomalies. */
  heat_map?: HeatMap
}

/** How unlike the normal pictures each place of a picture is: a coarse grid over all of it. */
export interface HeatMap {
  /** Of the picture: the largest of its places, 0 to 1. */
  score: number
  width: number
  height: number
  /** A byte a cell, row by row from the top left, 255 for one, in base64. */
  values: string
}

/** A box in pixels of the picture as it was given, from the top left. */
export interface BoxAnnotation {
  kind: 'box'
  label: string
  x: number
  y: number
  width: number
  height: number
  score: number
}

/** The pixels of a label, or of an object: COCO's compressed run lengths, column by column, in a picture of `width` x `height` pixels. */
export interface MaskAnnotation {
  kind: 'mask'
  label: string
  width: number
  height: number
  counts: string
  score: number
  /** Of a model that finds single objects: where this one lies, in pixels. */
  box?: { x: number; y: number; width: number; height: number }
  /** Likewise: outlines of its parts as points, without their holes. */
  polygons?: [x: number, y: number][][]
}

/** A number, in the unit of what was learned. */
export interface ValueAnnotation {
  kind: 'value'
  value: number
}

/** Where an item lies among others: the sum of the products of two such vectors is their similarity, -1 to 1. */
export interface VectorAnnotation {
  kind: 'vector'
  /** Their squares add up to one. */
  values: number[]
}

export type Annotation = ClassAnnotation | BoxAnnotation | MaskAnnotation | ValueAnnotation | VectorAnnotation

/** What is said besides of an item, by a model for which an error rate was chosen. */
export interface Beside {
  /** Whether a person should look: the scores do not leave exactly the predicted label possible. */
  ask_a_person?: boolean
  /** Labels that are possible at the error rate, best first. */
  possible_labels?: string[]
  /** Where the true number lies, but for the error rate. */
  interval?: { low: number; high: number; error_rate: number }
}

export interface ItemAnswer extends Beside {
  /** Best first. */
  annotations: Annotation[]
}

export interface PredictOptions {
  /** At most so many annotations: 5 labels, 100 boxes or masks where it is not given. */
  top?: number
  /** Lowest score of every label, 0 to 1; where it is not given, each label has its own. */
  threshold?: number
  /** What becomes of a cell that cannot be read: an error (`refuse`, the default), or it counts as missing. */
  invalidCells?: 'refuse' | 'missing'
}

export interface LoadOptions {
  /** Lowest score by label, in place of the model's own. */
  thresholds?: Record<string, number>
  /** Node.js only: threads of one run; 1 where it is not given. A page has one. */
  threads?: number
  /** Browser only: where `runtime.bin` is, if not beside this module. */
  runtimeUrl?: string | URL
}

/** What the replay of the golden samples showed. */
export interface SelftestReport {
  numSamples: number
  /** Largest difference of a score, a side (as a fraction of the picture) or a number from the trained model's. */
  maxDifference: number
  tolerance: number
  isPassed: boolean
  environment: string
}

/** How long whole calls of `predict` take, reading the item included. */
export interface BenchReport {
  numRuns: number
  medianMs: number
  p90Ms: number
  minMs: number
  environment: string
}

export interface Model {
  /** Kind of items that the model reads: `image`, `text` or `row`. */
  readonly reads: string
  /** Kind of its answers: `class_scores`, `label_scores`, `number`, `boxes`, `mask`, `heat_map` or `vector`. */
  readonly output: string
  readonly labels: readonly string[]
  /** The annotations of an item, best first. */
  predict(item: Item, options?: PredictOptions): Promise<Annotation[]>
  /** The annotations of several items, in their order. Rows are answered in one run. */
  predictBatch(items: readonly Item[], options?: PredictOptions): Promise<Annotation[][]>
  /** The annotations of an item with what else is said of it. */
  answer(item: Item, options?: PredictOptions): Promise<ItemAnswer>
  /** The same of several items, in their order. */
  answerBatch(items: readonly Item[], options?: PredictOptions): Promise<ItemAnswer[]>
  /** Replays the golden samples that came with the model. */
  selftest(): Promise<SelftestReport>
  /** Measures `predict` on a golden sample. */
  bench(options?: { numRuns?: number }): Promise<BenchReport>
  /** Frees the model; later calls fail with the code `model_closed`. */
  close(): Promise<void>
}

/** Every error of this package. */
export declare class ModelError extends Error {
  /** Stable: `picture_unreadable`, `cell_invalid`, `argument_invalid`, ... */
  readonly code: string
  /** Where: `item` (place in a batch, from 0), `row`, `column`, `cell`. */
  readonly facts: Readonly<Record<string, string | number>>
}

/**
 * Loads a model.
 *
 * @param place address of the folder `model` (Node.js: its path); without it the one beside this package.
 */
export declare function load(place?: string | URL, options?: LoadOptions): Promise<Model>

/** What the page and the worker say to each other. */
import type { Item, LoadOptions, PredictOptions } from '../api'
import type { Code, Facts } from '../errors'

export interface Facing {
  reads: string
  output: string
  labels: readonly string[]
}

/** Names of the calls with what they take. */
export interface Calls {
  open: { runtime: ArrayBuffer; files: Files; options: Omit<LoadOptions, 'runtimeUrl'> }
  answerBatch: { items: readonly Item[]; options: PredictOptions }
  selftest: null
  bench: { numRuns?: number }
  close: null
}

/** Where the artefact's files are, or what they hold. */
export type Files = string | Record<string, Uint8Array>

export type ToWorker = { [Name in keyof Calls]: { number: number; call: Name; given: Calls[Name] } }[keyof Calls]

export interface FromWorker {
  number: number
  result?: unknown
  error?: { code: Code; message: string; facts: Facts }
}

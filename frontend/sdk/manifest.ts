/** The part of `artefact.json` that answering needs. */
import type { Coverage } from './coverage/kind'
import { ModelError, reasonOf } from './errors'

const KNOWN_SCHEMA = 1

export interface ImageDecode {
  kind: 'image'
  min_side_px: number
}

export interface TextDecode {
  kind: 'text'
  tokenizer: string
  max_tokens: number
  pad_id: number
}

export interface RowColumn {
  name: string
  kind: string
  decimal?: '.' | ','
  units?: string[]
  datetime_format?: string
  choices?: string[]
  typical?: string
  known?: string[] | null
}

export interface RowDecode {
  kind: 'row'
  columns: RowColumn[]
  target: string
}

export interface Manifest {
  schema_version: number
  task: string
  output: string
  decode: { kind: string }
  inputs: { name: string }[]
  outputs: { name: string }[]
  label_set: { labels: { name: string }[] }
  thresholds: Record<string, number>
  tolerance: number
  coverage?: Coverage | null
}

/** An entry of `samples/expected.json`. */
export interface GoldenSample {
  file: string
  scores: number[]
  detections?: number[][]
  mask?: { height: number; width: number; segments: [number, string, number][] } | null
  instances?: { side: number; masks: [string, number][] } | null
  heat_map?: { height: number; width: number; values: number[] } | null
  vector?: number[]
}

export interface GoldenSamples {
  labels?: string[]
  samples: GoldenSample[]
}

/** Reads a JSON file of the artefact. */
export function json<T>(bytes: Uint8Array, name: string): T {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T
  } catch (error) {
    throw new ModelError('artefact_unreadable', `${name} is not JSON: ${reasonOf(error)}`)
  }
}

export function manifestRead(bytes: Uint8Array): Manifest {
  const manifest = json<Manifest>(bytes, 'artefact.json')
  if (manifest.schema_version !== KNOWN_SCHEMA)
    throw new ModelError('artefact_unreadable', `artefact schema ${manifest.schema_version}, this package knows ${KNOWN_SCHEMA}`)
  return manifest
}

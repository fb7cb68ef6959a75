/** What a kind of answers does; the modules of `kinds/` are found by listing. */
import type { Annotation } from '../api'
import { ModelError } from '../errors'
import type { GoldenSample } from '../manifest'

/** What the graph gave for one item: numbers and their axes, without that of the batch. */
export interface Answer {
  data: Float32Array
  axes: readonly number[]
}

/** Sides of the picture as it was given; 0 of what is none. */
export interface Size {
  width: number
  height: number
}

export interface EncodeOptions {
  top: number
  threshold?: number | undefined
  thresholds: Readonly<Record<string, number>>
}

export interface AnswerKind {
  defaultTop: number
  /** Throws where the graph does not answer in the form of this kind. */
  check(answer: Answer, labels: readonly string[]): void
  /** The annotations, best first. */
  encode(answer: Answer, labels: readonly string[], size: Size, options: EncodeOptions): Annotation[]
  /** How far the answer is from a golden sample. `names`: labels in the order of the sample's scores. */
  difference(expected: GoldenSample, names: readonly string[], answer: Answer, labels: readonly string[]): number
}

const KINDS = import.meta.glob<AnswerKind>('./kinds/*.ts', { eager: true, import: 'KIND' })

export function answerKind(name: string): AnswerKind {
  const kind = KINDS[`./kinds/${name}.ts`]
  if (!kind) throw new ModelError('artefact_unreadable', `answers of the kind ${name} are not known`)
  return kind
}

/** Rounds to decimals. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Rounds halves to even, as Python does. */
export function halfToEven(value: number): number {
  const whole = Math.round(value)
  return Math.abs(value % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole
}

export const SCORE_DIGITS = 6

export function floorOf(label: string, { threshold, thresholds }: EncodeOptions): number {
  return threshold ?? thresholds[label] ?? 0
}

/** Where a model's labels are those of a person, cell by cell. Pure. */
import { MaskTiles } from '../../canvas/shapes/mask/tiles'
import type { AnnotationLike, JudgedItem } from '../kind'
import { areaOf, type Sides, sizeOf, stepFor } from '../areas'
import { IGNORED_LABEL } from '../../lib/labels/ignored'

export type Outcome = 'found' | 'missed' | 'false' | 'other'

export const OUTCOMES = ['found', 'missed', 'false', 'other'] as const satisfies readonly Outcome[]
export const COLORS: Record<Outcome, string> = { found: '#4ade80', missed: '#facc15', false: '#fb923c', other: '#e879f9' }

export interface LabelShare {
  label: string
  /** Cells that truth and answer share over those that either has, 0..1. */
  overlap_fraction: number
}

export interface MaskJudgement {
  areas: Record<Outcome, MaskTiles>
  /** What does not count. */
  ignored: MaskTiles
  /** Of the part of the picture that counts, 0..1. */
  shares: Record<Outcome, number>
  labels: LabelShare[]
}

/** Whether truth or prediction holds any area. */
export function hasAreas({ truth, prediction }: Pick<JudgedItem, 'truth' | 'prediction'>): boolean {
  return truth.length + prediction.length > 0
}

/** In place of a label's number: the cell does not count. */
const IGNORED = 0xffff

/** Labels of cells, column by column; 0 is none. Of areas that overlap the later one counts. */
function cells(annotations: readonly AnnotationLike[], sides: Sides, step: number, labels: string[], hasIgnored = false): Uint16Array {
  const [columns, rows] = [Math.ceil(sides.width_px / step), Math.ceil(sides.height_px / step)]
  const out = new Uint16Array(columns * rows)
  for (const one of annotations) {
    const label = one.label ?? ''
    const isIgnored = hasIgnored && label === IGNORED_LABEL
    if (!isIgnored && !labels.includes(label)) labels.push(label)
    const value = isIgnored ? IGNORED : labels.indexOf(label) + 1
    areaOf(one, sides, step)?.forEachRun((x, from, to) => out.fill(value, x * rows + from, x * rows + to))
  }
  return out
}

export function maskJudgement(item: Pick<JudgedItem, 'truth' | 'prediction'>, sides: Sides, isLarge: boolean): MaskJudgement {
  const step = stepFor(sides, isLarge)
  const [columns, rows] = [Math.ceil(sides.width_px / step), Math.ceil(sides.height_px / step)]
  const labels: string[] = []
  // A model that was taught the label of this name, by a set from before there were such areas, answers with it.
  const hasIgnored = !item.prediction.some((one: AnnotationLike) => one.label === IGNORED_LABEL)
  const [truth, answer] = [cells(item.truth, sides, step, labels, hasIgnored), cells(item.prediction, sides, step, labels)]
  const made = () => new MaskTiles(columns, rows)
  const areas = { found: made(), missed: made(), false: made(), other: made() }
  const ignored = made()
  const [shared, either] = [new Array<number>(labels.length).fill(0), new Array<number>(labels.length).fill(0)]
  const count = (counts: number[], value: number, by: number) => {
    if (value > 0) counts[value - 1] = (counts[value - 1] ?? 0) + by
  }
  for (let at = 0; at < truth.length;) {
    const [actual, predicted] = [truth[at] as number, answer[at] as number]
    const stop = Math.min(runEnd(truth, at), runEnd(answer, at), at - (at % rows) + rows)
    if (actual === IGNORED) {
      ignored.setRun(Math.floor(at / rows), at % rows, (at % rows) + stop - at)
      at = stop
      continue
    }
    const outcome = outcomeOf(actual, predicted)
    if (outcome) areas[outcome].setRun(Math.floor(at / rows), at % rows, (at % rows) + stop - at)
    count(either, actual, stop - at)
    if (actual === predicted) count(shared, actual, stop - at)
    else count(either, predicted, stop - at)
    at = stop
  }
  const numCounted = Math.max(1, truth.length - sizeOf(ignored))
  const share = (outcome: Outcome) => sizeOf(areas[outcome]) / numCounted
  return {
    areas,
    ignored,
    shares: { found: share('found'), missed: share('missed'), false: share('false'), other: share('other') },
    labels: labels.map((label, place) => ({ label, overlap_fraction: (shared[place] as number) / Math.max(1, either[place] as number) })),
  }
}

/** Of the labels in truth or prediction. */
export const meanOverlap = (labels: readonly LabelShare[]) =>
  labels.reduce((sum, { overlap_fraction }) => sum + overlap_fraction, 0) / Math.max(1, labels.length)

function runEnd(values: Uint16Array, from: number): number {
  let at = from + 1
  while (at < values.length && values[at] === values[from]) at += 1
  return at
}

function outcomeOf(actual: number, predicted: number): Outcome | null {
  if (actual === predicted) return actual === 0 ? null : 'found'
  if (predicted === 0) return 'missed'
  return actual === 0 ? 'false' : 'other'
}

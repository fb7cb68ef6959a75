/** What a detector found, missed and imagined on one picture. */

import type { Box } from '../../lib/api/types'
import type { JudgedItem } from '../kind'
import type { Outcome } from '../outcomes'

export interface OutcomeBox extends Pick<Box, 'x' | 'y' | 'width' | 'height' | 'label'> {
  outcome: Outcome
  /** Of the prediction. */
  score_fraction: number | null
}

export interface BoxJudgement {
  /** Found boxes are drawn where the model put them, missed ones where they are. */
  boxes: OutcomeBox[]
  counts: Record<Outcome, number>
}

/** Whether anything is there, or was found. */
export function hasBoxes(item: Pick<JudgedItem, 'truth' | 'prediction'>): boolean {
  return [...item.truth, ...item.prediction].some((each) => each.kind === 'box')
}

/** Sorts the boxes of an item; a prediction below its label's threshold does not count. */
export function boxJudgement(
  item: Pick<JudgedItem, 'truth' | 'prediction' | 'matches'>,
  thresholds: Readonly<Record<string, number>>,
): BoxJudgement {
  const found = new Set(item.matches.map(([, prediction]) => prediction))
  const known = new Set(item.matches.map(([truth]) => truth))
  const boxes: OutcomeBox[] = []
  item.prediction.forEach((each, index) => {
    if (each.kind !== 'box' || (each.score ?? 0) < (thresholds[each.label] ?? 0.5)) return
    boxes.push({ ...corners(each), outcome: found.has(index) ? 'found' : 'false', score_fraction: each.score ?? null })
  })
  item.truth.forEach((each, index) => {
    if (each.kind === 'box' && !known.has(index)) boxes.push({ ...corners(each), outcome: 'missed', score_fraction: null })
  })
  const counts = { found: 0, missed: 0, false: 0 }
  for (const box of boxes) counts[box.outcome] += 1
  return { boxes, counts }
}

function corners({ x, y, width, height, label }: Box) {
  return { x, y, width, height, label }
}

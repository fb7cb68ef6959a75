import type { Explained, JudgedItem } from '../kind'
import { objectJudgement } from './judgement'

/** Objects whose place is known, by their boxes: found, imagined and missed ones. */
export function explainedObjects(item: JudgedItem, thresholds: Record<string, number>): Explained[] {
  return objectJudgement(item, thresholds).objects.flatMap(({ annotation: { label, box }, outcome, score_fraction }) =>
    label && box ? [{ label, box, outcome, score_fraction }] : [],
  )
}

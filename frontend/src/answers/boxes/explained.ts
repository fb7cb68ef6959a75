import type { Explained, JudgedItem } from '../kind'
import { boxJudgement } from './judgement'

/** Objects that were found, imagined and missed. */
export function explainedBoxes(item: JudgedItem, thresholds: Record<string, number>): Explained[] {
  return boxJudgement(item, thresholds).boxes.map(({ x, y, width, height, ...rest }) => ({ ...rest, box: { x, y, width, height } }))
}

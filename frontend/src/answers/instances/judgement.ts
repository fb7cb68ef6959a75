/** Which objects a model found, missed and imagined on one picture. Pure. */
import type { Outcome } from '../outcomes'
import type { AnnotationLike, JudgedItem } from '../kind'

export interface JudgedObject {
  annotation: AnnotationLike
  outcome: Outcome
  /** Of the prediction. */
  score_fraction: number | null
}

export interface ObjectJudgement {
  /** Found objects are drawn as the model outlines them, missed ones as they are. */
  objects: JudgedObject[]
  counts: Record<Outcome, number>
}

/** Whether truth or prediction holds an object. */
export const hasObjects = ({ truth, prediction }: Pick<JudgedItem, 'truth' | 'prediction'>) => truth.length + prediction.length > 0

const passes = ({ label, score }: AnnotationLike, thresholds: Readonly<Record<string, number>>) =>
  (score ?? 0) >= (thresholds[label ?? ''] ?? 0.5)

/** The predictions that reach their labels' thresholds. */
export const shownOf = (item: Pick<JudgedItem, 'prediction'>, thresholds: Readonly<Record<string, number>>): AnnotationLike[] =>
  item.prediction.filter((each: AnnotationLike) => passes(each, thresholds))

/** Sorts the objects of an item; a prediction below its label's threshold does not count. */
export function objectJudgement(
  item: Pick<JudgedItem, 'truth' | 'prediction' | 'matches'>,
  thresholds: Readonly<Record<string, number>>,
): ObjectJudgement {
  const [known, found] = [new Set(item.matches.map(([truth]) => truth)), new Set(item.matches.map(([, prediction]) => prediction))]
  const objects: JudgedObject[] = []
  item.prediction.forEach((annotation: AnnotationLike, index) => {
    if (!passes(annotation, thresholds)) return
    objects.push({ annotation, outcome: found.has(index) ? 'found' : 'false', score_fraction: annotation.score ?? null })
  })
  item.truth.forEach((annotation: AnnotationLike, index) => {
    if (!known.has(index)) objects.push({ annotation, outcome: 'missed', score_fraction: null })
  })
  const counts = { found: 0, missed: 0, false: 0 }
  for (const { outcome } of objects) counts[outcome] += 1
  return { objects, counts }
}

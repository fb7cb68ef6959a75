/** Lines of text: their corners and what they say. Pure. */
import type { AnnotationLike } from '../kind'

export type LineOutcome = 'right' | 'wrong' | 'missed' | 'false'

export const LINE_OUTCOMES = ['right', 'wrong', 'missed', 'false'] as const satisfies readonly LineOutcome[]
export const LINE_COLORS: Record<LineOutcome, string> = { right: '#4ade80', wrong: '#f87171', missed: '#facc15', false: '#fb923c' }

export interface OutcomeLine {
  outcome: LineOutcome
  points: readonly (readonly [number, number])[]
  /** Empty where there is no line. */
  truth: string
  /** Empty where none was found. */
  given: string
  score_fraction: number | null
}

const ILLEGIBLE = '###'

/** What a line says; empty where nothing, or nothing legible, is written. */
export function textOf({ attributes }: Pick<AnnotationLike, 'attributes'>): string {
  const value = attributes?.find(({ name }) => name === 'text')?.value
  const plain = typeof value === 'string' ? value.split(/\s+/).filter(Boolean).join(' ') : ''
  return plain === ILLEGIBLE ? '' : plain
}

const pointsOf = ({ points }: AnnotationLike) => (points ?? []) as [number, number][]

interface Judged {
  truth: readonly AnnotationLike[]
  prediction: readonly AnnotationLike[]
  /** Places of truths and predictions that belong together. */
  matches: readonly (readonly number[])[]
}

/** Sorts the lines of an item; a prediction below the threshold of its label does not count. */
export function linesJudged({ truth, prediction, matches }: Judged, thresholds: Readonly<Record<string, number>>): OutcomeLine[] {
  const truthOf = new Map(matches.map(([known = -1, found = -1]) => [found, truth[known]]))
  const known = new Set(matches.map(([place]) => place))
  const read = prediction.flatMap((each, place): OutcomeLine[] => {
    if (each.kind !== 'polygon' || (each.score ?? 1) < (thresholds[each.label ?? ''] ?? 0)) return []
    const [own, given] = [truthOf.get(place), textOf(each)]
    const expected = own?.kind === 'polygon' ? textOf(own) : ''
    const outcome = !own ? 'false' : expected === given ? 'right' : 'wrong'
    return [{ outcome, points: pointsOf(each), truth: expected, given, score_fraction: each.score ?? null }]
  })
  const missed = truth.flatMap((each, place): OutcomeLine[] =>
    each.kind === 'polygon' && !known.has(place) && textOf(each)
      ? [{ outcome: 'missed', points: pointsOf(each), truth: textOf(each), given: '', score_fraction: null }]
      : [],
  )
  return [...read, ...missed]
}

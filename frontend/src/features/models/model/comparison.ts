/** When and how two artefacts may be compared: numbers from different data are not comparable. */

import { areApart } from '../../../charts/interval-bars/interval'
import type { Interval } from '../../../charts/scale/scale'
import { hasTooFew } from './class-rows'

interface Comparable {
  id: string
  version: string
}

/** Artefacts that may stand beside the given one. */
export function comparableWith<A extends Comparable>(artefact: A, all: readonly A[]): A[] {
  return all.filter((other) => other.id !== artefact.id && other.version === artefact.version)
}

export type Verdict = 'left' | 'right' | 'undecided'

/** Which of two is better; undecided while their intervals overlap or one is missing. */
export function verdict(left: Interval | null, right: Interval | null, isHigherBetter: boolean): Verdict {
  if (!left || !right || !areApart(left, right)) return 'undecided'
  return left[0] > right[0] === isHigherBetter ? 'left' : 'right'
}

interface ClassLike {
  label: string
  f1: number
  support: number
}

/** Change of F1 by label from left to right, largest change first; labels with too few items for figures are left out. */
export function classChanges(
  left: readonly ClassLike[],
  right: readonly ClassLike[],
): { label: string; left: number; right: number; change: number }[] {
  const after = new Map(right.filter((each) => each.support > 0 && !hasTooFew(each)).map((each) => [each.label, each.f1]))
  return left
    .flatMap(({ label, f1 }) => {
      const other = after.get(label)
      return other === undefined ? [] : [{ label, left: f1, right: other, change: other - f1 }]
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
}

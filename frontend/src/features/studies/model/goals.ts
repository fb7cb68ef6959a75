/** What a goal fills into the form. */

import type { Family, GoalSpec } from '../api/types'
import { type Ranges, SIZE } from './ranges'
import type { StudyForm } from './study-form'

/** The sizes of a family that a goal tries, where it does not try all. */
export function sizesOf({ ranges }: GoalSpec, { name, sizes }: Family): Family['sizes'] {
  const choices = ranges?.[name]?.[SIZE]?.choices
  return choices ? sizes.filter((size) => choices.includes(size.name)) : sizes
}

/** The values that a goal chooses. What another goal narrowed is open again; what a person narrowed stays. */
export function filledBy(goal: GoalSpec | undefined, before: GoalSpec | undefined): Partial<StudyForm> {
  if (!goal) return {}
  const { families, max_trials, prefers_fast, max_answer_ratio } = goal
  return {
    families,
    max_trials,
    prefers_fast,
    max_answer_ratio,
    ...((isNarrow(goal) || isNarrow(before)) && { ranges: rangesIn(goal), at_most: { ...goal.at_most } }),
  }
}

function isNarrow(goal: GoalSpec | undefined): boolean {
  return Object.keys({ ...goal?.ranges, ...goal?.at_most }).length > 0
}

function rangesIn({ ranges }: GoalSpec): Ranges {
  return Object.fromEntries(
    Object.entries(ranges ?? {}).map(([family, params]) => [
      family,
      Object.fromEntries(
        Object.entries(params).map(([name, { low, high, choices }]) => [
          name,
          choices ? { choices } : { low: low ?? null, high: high ?? null },
        ]),
      ),
    ]),
  )
}

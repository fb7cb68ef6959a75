import type { Problem } from '../lib/api/types'

export interface ProblemGroup {
  first: Problem
  numMore: number
}

/** Problems of one kind become one line: sixty small pictures are one thing to mend, not sixty. */
export function groupProblems(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>()
  for (const problem of problems) {
    // Problems of a label are listed per label; problems of items once.
    const key = `${problem.code} ${problem.item ? '' : (problem.field ?? '')}`
    const group = groups.get(key)
    if (group) group.numMore += 1
    else groups.set(key, { first: problem, numMore: 0 })
  }
  return [...groups.values()]
}

/** What the pages draw of a study with several objectives. */

import type { SideObjective } from './study-form'

/** A trial of which all objectives are known. */
export interface MeasuredTrial {
  value: number
  footprint: Record<SideObjective, number>
}

interface TrialLike {
  id: string
  value: number | null
  footprint: Partial<Record<SideObjective, number>>
  members: string[] | null
}

interface FrontLike {
  also_improves: readonly SideObjective[]
  front: readonly string[]
}

/** The trials that can be compared in all objectives, and those of them on the front, the best metric first. */
export function frontRows<T extends TrialLike>(study: FrontLike, trials: readonly T[]) {
  const isMeasured = (trial: T): trial is T & MeasuredTrial =>
    trial.members === null && trial.value !== null && study.also_improves.every((name) => trial.footprint[name] !== undefined)
  const measured = trials.filter(isMeasured)
  const front = study.front.flatMap((id) => measured.find((trial) => trial.id === id) ?? [])
  return { measured, front }
}

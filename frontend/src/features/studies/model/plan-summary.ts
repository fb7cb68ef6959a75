/** The plan of a study in the few numbers that a person decides by. */

export interface PlannedTrial {
  family: string
  size: string
  estimated_s: number
  memory_bytes: number
  fits: boolean
}

export interface PlanSummary {
  /** Trials that are known beforehand and fit. */
  num_known: number
  num_too_large: number
  /** Trials that the search will choose. */
  num_searched: number
  /** Memory of the largest trials that may run at once. */
  memory_bytes: number
}

/** Counts what a plan will run; what does not fit is not run. */
export function planSummary(trials: readonly PlannedTrial[], max_trials: number, concurrency: number): PlanSummary {
  const fitting = trials.filter((trial) => trial.fits)
  const num_known = Math.min(fitting.length, max_trials)
  const largest = fitting.map((trial) => trial.memory_bytes).sort((a, b) => b - a)
  return {
    num_known,
    num_too_large: trials.length - fitting.length,
    num_searched: fitting.length ? max_trials - num_known : 0,
    memory_bytes: largest.slice(0, concurrency).reduce((sum, bytes) => sum + bytes, 0),
  }
}

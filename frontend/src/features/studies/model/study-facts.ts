/** Counts of a study. */

interface Counts {
  succeeded: number
  failed: number
  pruned: number
  cancelled: number
}

/** Trials that will not change any more. */
export function endedTrials(counts: Counts): number {
  return counts.succeeded + counts.failed + counts.pruned + counts.cancelled
}

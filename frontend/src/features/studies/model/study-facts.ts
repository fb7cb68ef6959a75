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

/** The state that is shown: a paused study runs, but nobody sees anything of it run. */
export function shownState({ state, paused_at }: { state: string; paused_at: string | null }): string {
  return paused_at ? 'paused' : state
}

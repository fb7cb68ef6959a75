/** Where a batch prediction stands. Pure. */
import type { Run } from '../api/types'

const UNDER_WAY = new Set(['queued', 'leased', 'running'])

type Job = { state: string } | null

const isUnderWay = (job: Job) => job !== null && UNDER_WAY.has(job.state)

/** Whether it predicts, or waits to. */
export const isRunning = ({ job }: { job: Job }) => isUnderWay(job)

/** Whether its results are being made into suggestions. */
export const isSuggesting = ({ suggest_job }: { suggest_job: Job }) => isUnderWay(suggest_job)

/** Whether something about it changes by itself. */
export const isGoingOn = (run: { job: Job; suggest_job: Job }) => isRunning(run) || isSuggesting(run)

/** Whether it broke off with items left that have no result. */
export const canResume = (run: Pick<Run, 'artefact'> & { job: Job; suggest_job: Job }) =>
  run.artefact !== null && !isGoingOn(run) && run.job?.state !== 'succeeded'

/** Whether its results can be given to items of the project. */
export const canSuggest = (run: Pick<Run, 'source' | 'num_results' | 'num_failed' | 'artefact'>) =>
  run.source !== 'files' && run.artefact !== null && run.num_results > run.num_failed

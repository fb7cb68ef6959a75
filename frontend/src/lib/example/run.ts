/**
 * An example project from nothing to an answered API, by the same requests as a person's clicks. What is there already is not made
 * again: a run that a reload broke off goes on where it was. No React in it.
 */
export type ExampleStep = 'data' | 'version' | 'train' | 'deploy' | 'partner' | 'join'

export interface ExampleProgress {
  step: ExampleStep
  /** Of this step; null if unknown. */
  fraction: number | null
}

export interface RunningJob {
  state: string
  progress_fraction: number
  error: unknown
}

/** The requests that a run makes; `server.ts` has the real ones. */
export interface ExampleServer {
  /** The job that brings the examples: the one that there is, or a new one. Null once they are there. */
  data: () => Promise<string | null>
  job: (id: string) => Promise<RunningJob>
  /** Makes a version unless there is one; gives its id. */
  version: () => Promise<string>
  /** Starts a study unless there is one; gives its id. */
  study: (version: string) => Promise<string>
  /** How far a study is; the model once it has ended. */
  studied: (study: string) => Promise<{ fraction: number; isOver: boolean; artefact: string | null; error: unknown }>
  /** Publishes the model unless one is published; whether it answers. */
  deployed: (artefact: string) => Promise<boolean>
}

const ENDED = new Set(['succeeded', 'failed', 'cancelled', 'stopped'])
const POLL_MS = 700

/** The reason why a job or a study of the example failed, from the server. */
export class ExampleFailedError extends Error {
  constructor(readonly failure: unknown) {
    super('the example could not be finished')
  }
}

/**
 * Runs to the end.
 *
 * @param isWhole whether a model is trained and published too, or the data alone are brought.
 * @throws ExampleFailedError where a job or the study fails; ApiError where a request is refused.
 */
export async function runExample(
  server: ExampleServer,
  isWhole: boolean,
  onProgress: (progress: ExampleProgress) => void,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, POLL_MS)),
): Promise<void> {
  onProgress({ step: 'data', fraction: 0 })
  const id = await server.data()
  while (id !== null) {
    const job = await server.job(id)
    if (ENDED.has(job.state)) {
      if (job.state !== 'succeeded') throw new ExampleFailedError(job.error)
      break
    }
    onProgress({ step: 'data', fraction: job.progress_fraction })
    await pause()
  }
  if (!isWhole) return
  onProgress({ step: 'version', fraction: null })
  const study = await server.study(await server.version())
  onProgress({ step: 'train', fraction: 0 })
  const artefact = await trained(server, study, onProgress, pause)
  onProgress({ step: 'deploy', fraction: null })
  while (!(await server.deployed(artefact))) await pause()
}

/** How far the whole of a run is, 0..1, from the step that it is at: most of its time is training. */
export function wholeFraction({ step, fraction }: ExampleProgress): number {
  const [from, to] = SHARES[step] ?? [1, 1]
  return from + (to - from) * (fraction ?? 0)
}

const SHARES: Partial<Record<ExampleStep, readonly [number, number]>> = {
  data: [0, 0.2],
  version: [0.2, 0.2],
  train: [0.2, 0.9],
  deploy: [0.9, 1],
}

async function trained(
  server: ExampleServer,
  study: string,
  onProgress: (progress: ExampleProgress) => void,
  pause: () => Promise<void>,
): Promise<string> {
  for (;;) {
    const { fraction, isOver, artefact, error } = await server.studied(study)
    if (artefact !== null && isOver) return artefact
    if (isOver) throw new ExampleFailedError(error)
    onProgress({ step: 'train', fraction })
    await pause()
  }
}

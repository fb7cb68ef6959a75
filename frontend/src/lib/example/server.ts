import { api, data } from '../api/client'
import type { Project, Task } from '../api/types'
import type { ExampleServer } from './run'

export type Quickstart = NonNullable<Task['quickstarts']>[number]

/** Families whose models are there in seconds: on a frozen backbone, or of rows. None where a task has no such. */
export function quickFamilies(families: Task['families']): string[] {
  const frozen = families.filter((family) => family.is_frozen)
  if (frozen.length) return frozen.map((family) => family.name)
  return families.filter((family) => family.yields === 'rows').map((family) => family.name)
}

/** Families of which an example trains a model: of its quick start, or those that are quick. */
export const trainedFamilies = (families: Task['families'], quickstart: Quickstart | undefined): readonly string[] =>
  quickstart?.families?.length ? quickstart.families : quickFamilies(families)

/** Asks the server about one project and makes what it lacks. */
export function exampleServer(
  project: Pick<Project, 'id' | 'name' | 'dataset'>,
  families: Task['families'],
  quickstart: Quickstart | undefined,
): ExampleServer {
  const query = { project: project.id, limit: 1 }
  const path = { dataset: project.dataset }
  return {
    data: async () => {
      const [known] = (await data(api.GET('/api/datasets/{dataset}/uploads', { params: { path, query: { limit: 1 } } }))).items
      if (known?.state === 'done') return null
      if (known?.job && known.state !== 'failed') return known.job
      return (await data(api.POST('/api/datasets/{dataset}/examples', { params: { path, query: { quickstart: quickstart?.name } } }))).job
        .id
    },
    job: (job_id) => data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id } } })),
    version: async () => {
      const versions = await data(
        api.GET('/api/projects/{project}/versions', { params: { path: { project: project.id }, query: { limit: 1 } } }),
      )
      if (versions.items[0]) return versions.items[0].id
      const made = await data(api.POST('/api/labeling/snapshots', { body: { project: project.id, note: '' } }))
      if ('job' in made) throw new Error('examples are few')
      return made.id
    },
    study: async (version) => {
      const [known] = (await data(api.GET('/api/studies', { params: { query } }))).items
      if (known && ['running', 'succeeded'].includes(known.state)) return known.id
      const names = trainedFamilies(families, quickstart)
      const num_frozen = families.filter(({ name, is_frozen }) => is_frozen && names.includes(name)).length
      const body = { project: project.id, version, families: [...names], max_trials: Math.max(1, num_frozen), refits: false }
      return (await data(api.POST('/api/studies', { body: { ...QUICK, ...body, ranges: rangesOf(quickstart) } }))).id
    },
    studied: async (study_id) => {
      const params = { path: { study_id } }
      const study = await data(api.GET('/api/studies/{study_id}', { params }))
      const trials = await data(api.GET('/api/studies/{study_id}/trials', { params }))
      const running = trials.find((trial) => trial.ended_at === null)?.job
      const job = running ? await data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: running } } })) : null
      const num_ended = trials.filter((trial) => trial.ended_at !== null).length
      return {
        fraction: Math.min(1, (num_ended + (job?.progress_fraction ?? 0)) / study.max_trials),
        isOver: study.state !== 'running',
        artefact: trials.find((trial) => trial.id === study.best_trial)?.artefact ?? null,
        error: study.error ?? trials.find((trial) => trial.error)?.error ?? null,
      }
    },
    deployed: async (artefact) => {
      const [known] = (await data(api.GET('/api/deployments', { params: { query } }))).items
      if (known) return known.state === 'running'
      const { state } = await data(api.POST('/api/deployments', { body: { ...UNKEPT, project: project.id, artefact, name: project.name } }))
      return state === 'running'
    },
  }
}

/** Search ranges from the least that a quick start asks for; none where it asks for nothing. */
function rangesOf(quickstart: Quickstart | undefined) {
  const families = Object.entries(quickstart?.at_least ?? {})
  if (families.length === 0) return null
  const ranges = (params: Record<string, number>) => Object.fromEntries(Object.entries(params).map(([name, low]) => [name, { low }]))
  return Object.fromEntries(families.map(([family, params]) => [family, ranges(params)]))
}

const QUICK = {
  name: '',
  strategy: 'portfolio',
  concurrency: 1,
  pruner: 'none',
  objective: '',
  learns_test: false,
  max_answer_ratio: 1,
  seed: 0,
} as const
const UNKEPT = { keep_inputs: 'none', min_uncertainty: 0.5, retention_days: 30 } as const

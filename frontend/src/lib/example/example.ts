/** The example project of this browser: it goes on whatever page is open, and after a reload once its overview is opened. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

import type { Project, Task } from '../api/types'
import { type ExampleProgress, runExample, wholeFraction } from './run'
import { joinPartner, partnerProject } from './partner'
import { exampleServer, type Quickstart, trainedFamilies } from './server'

const STORAGE_KEY = 'modelyard.example'

export type ExampleState = { isWhole: boolean; quickstart: Quickstart | undefined } & (
  { kind: 'running'; progress: ExampleProgress } | { kind: 'failed'; progress: ExampleProgress; error: unknown } | { kind: 'done' }
)

const states = new Map<string, ExampleState>()
const listeners = new Set<() => void>()

function set(project: string, state: ExampleState | null): void {
  if (state) states.set(project, state)
  else states.delete(project)
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type Started = Pick<Project, 'id' | 'name' | 'dataset' | 'workspace'>

type ExampleTask = Pick<Task, 'families' | 'quickstarts'>

/** Fills a project with its task's examples, or those of a quick start; where models are quick, one is trained and published too. */
export function startExample(queries: QueryClient, project: Started, task: ExampleTask, quickstart?: Quickstart): void {
  if (states.get(project.id)?.kind === 'running') return
  localStorage.setItem(STORAGE_KEY, [project.id, quickstart?.name].filter(Boolean).join(' '))
  const { families } = task
  const isWhole = trainedFamilies(families, quickstart).length > 0
  const shared = { isWhole, quickstart }
  let progress: ExampleProgress = { step: 'data', fraction: 0 }
  set(project.id, { ...shared, kind: 'running', progress })
  const setProgress = (next: ExampleProgress) => {
    if (next.step !== progress.step) void queries.invalidateQueries()
    progress = next
    set(project.id, { ...shared, kind: 'running', progress })
  }
  runExample(exampleServer(project, families, quickstart), isWhole, setProgress)
    .then(() => quickstart?.partner && runPartner(project, quickstart.partner, setProgress))
    .then(
      () => {
        localStorage.removeItem(STORAGE_KEY)
        set(project.id, { ...shared, kind: 'done' })
      },
      (error: unknown) => set(project.id, { ...shared, kind: 'failed', progress, error }),
    )
    .finally(() => void queries.invalidateQueries())
}

/** Fills, trains and publishes the second project, and joins it with the first. */
async function runPartner(project: Started, partner: NonNullable<Quickstart['partner']>, onProgress: (at: ExampleProgress) => void) {
  onProgress({ step: 'partner', fraction: 0 })
  const { project: second, families, quickstart } = await partnerProject(project, partner)
  const server = exampleServer(second, families, quickstart)
  await runExample(server, true, (at) => onProgress({ step: 'partner', fraction: wholeFraction(at) }))
  onProgress({ step: 'join', fraction: null })
  await joinPartner(project, second)
}

/** How far a project is as an example; null of one that is none. Takes up a run that a reload broke off. */
export function useExample(project: Started, task: ExampleTask | undefined) {
  const queries = useQueryClient()
  const state = useSyncExternalStore(subscribe, () => states.get(project.id) ?? null)
  const [begun, name] = (localStorage.getItem(STORAGE_KEY) ?? '').split(' ')
  const isBrokenOff = state === null && begun === project.id
  const named = task?.quickstarts?.find((each) => each.name === name)
  useEffect(() => {
    if (isBrokenOff && task) startExample(queries, project, task, named)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each project
  }, [isBrokenOff, task, project.id])
  return {
    state,
    retry: () => task && startExample(queries, project, task, state?.quickstart),
    close: () => {
      localStorage.removeItem(STORAGE_KEY)
      set(project.id, null)
    },
  }
}

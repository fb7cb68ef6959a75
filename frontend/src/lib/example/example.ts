/** The example project of this browser: it goes on whatever page is open, and after a reload once its overview is opened. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

import type { Project, Task } from '../api/types'
import { type ExampleProgress, runExample } from './run'
import { exampleServer, quickFamilies } from './server'

const STORAGE_KEY = 'modelyard.example'

export type ExampleState = { isWhole: boolean } & (
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

type Started = Pick<Project, 'id' | 'name' | 'dataset'>

/** Fills a project with its task's examples; where models are quick, one is trained and published too. */
export function startExample(queries: QueryClient, project: Started, families: Task['families']): void {
  if (states.get(project.id)?.kind === 'running') return
  localStorage.setItem(STORAGE_KEY, project.id)
  const isWhole = quickFamilies(families).length > 0
  let progress: ExampleProgress = { step: 'data', fraction: 0 }
  set(project.id, { isWhole, kind: 'running', progress })
  const setProgress = (next: ExampleProgress) => {
    if (next.step !== progress.step) void queries.invalidateQueries()
    progress = next
    set(project.id, { isWhole, kind: 'running', progress })
  }
  runExample(exampleServer(project, families), isWhole, setProgress)
    .then(
      () => {
        localStorage.removeItem(STORAGE_KEY)
        set(project.id, { isWhole, kind: 'done' })
      },
      (error: unknown) => set(project.id, { isWhole, kind: 'failed', progress, error }),
    )
    .finally(() => void queries.invalidateQueries())
}

/** How far a project is as an example; null of one that is none. Takes up a run that a reload broke off. */
export function useExample(project: Started, families: Task['families'] | undefined) {
  const queries = useQueryClient()
  const state = useSyncExternalStore(subscribe, () => states.get(project.id) ?? null)
  const isBrokenOff = state === null && localStorage.getItem(STORAGE_KEY) === project.id
  useEffect(() => {
    if (isBrokenOff && families) startExample(queries, project, families)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each project
  }, [isBrokenOff, families, project.id])
  return {
    state,
    retry: () => families && startExample(queries, project, families),
    close: () => {
      localStorage.removeItem(STORAGE_KEY)
      set(project.id, null)
    },
  }
}

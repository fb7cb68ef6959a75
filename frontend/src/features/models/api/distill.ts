import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Artefact } from './types'

function request(teacher: Artefact) {
  return {
    project: teacher.project,
    version: teacher.version,
    strategy: 'distill',
    teacher: teacher.id,
    max_trials: 16,
    concurrency: 1,
    objective: '',
    refits: false,
    learns_test: false,
    max_answer_ratio: 1,
  } as const
}

/** Which small models would learn from this one, and how long it would take. */
export function useDistillPlan(teacher: Artefact) {
  return useQuery({
    queryKey: ['study-plan', 'distill', teacher.id],
    queryFn: () => data(api.POST('/api/studies/plan', { body: request(teacher) })),
    staleTime: 30_000,
  })
}

/** Starts a study in which small models learn from this one. */
export function useDistill(teacher: Artefact) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (name: string) => data(api.POST('/api/studies', { body: { ...request(teacher), name, pruner: 'none', seed: 0 } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['studies'] }),
  })
}

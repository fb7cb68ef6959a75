import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Job } from '../../../lib/api/types'
import { saveFrom } from '../../../lib/save-file'
import { sendFiles, type Sent } from './send-files'
import { requestOf, type PredictionForm } from '../model/prediction-form'

interface Start {
  form: PredictionForm
  signal: AbortSignal
  /** Hears of each step while files are sent. */
  onSent: (sent: Sent) => void
}

/** Sends the files, where it is about files, and starts. */
export function useStart(project: string, dataset: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: async ({ form, signal, onSent }: Start) => {
      const uploads = form.source === 'files' ? await sendFiles(dataset, form.files, signal, onSent) : []
      const body = requestOf(form, uploads)
      return data(api.POST('/api/projects/{project}/predictions', { params: { path: { project } }, body }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['predictions'] }),
  })
}

function useChange<Result, Given = void>(change: (given: Given) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: ['predictions'] }) })
}

export const useCancelPrediction = (prediction: string) =>
  useChange(() => data(api.POST('/api/predictions/{prediction}/cancel', { params: { path: { prediction } } })))

/** Goes on behind the results that are there. */
export const useResume = (prediction: string) =>
  useChange(() => data(api.POST('/api/predictions/{prediction}/resume', { params: { path: { prediction } } })))

/** Starts a new one over the same data, with another model or the same. */
export const useAgain = (prediction: string) =>
  useChange((artefact: string) =>
    data(api.POST('/api/predictions/{prediction}/again', { params: { path: { prediction } }, body: { artefact } })),
  )

/** Gives the results to unlabelled items as suggestions. */
export const useSuggest = (prediction: string) =>
  useChange(() => data(api.POST('/api/predictions/{prediction}/suggestions', { params: { path: { prediction } } })))

export function useDelete(prediction: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/api/predictions/{prediction}', { params: { path: { prediction } } }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['predictions', prediction] })
      return queries.invalidateQueries({ queryKey: ['predictions', 'list'] })
    },
  })
}

const POLL_MS = 500

/** Has a job make a further file of a batch prediction, and the browser save it. */
export function useMadeFile() {
  return useMutation({
    mutationFn: async (href: string) => {
      let { job } = await send<{ job: Job }>(href, { method: 'POST' })
      while (job.ended_at === null) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        job = await data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: job.id } } }))
      }
      if (job.state !== 'succeeded') throw new Error(job.error?.message ?? job.state)
      saveFrom(href)
    },
  })
}

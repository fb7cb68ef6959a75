import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { ApiError } from '../../../lib/api/errors'
import { send } from '../../../lib/api/raw'
import type { Job, Upload } from '../../../lib/api/types'

/** Tries for one part before the import gives up; it can be started again and goes on. */
const TRIES = 5
const POLL_MS = 1000

export interface ImportProgress {
  stage: 'sending' | 'reading'
  fraction: number
}

interface ImportArchive {
  workspace: string
  file: File
  /** Name of the project that holds the bytes until they are read. */
  name: string
  task: string
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
}

/** Sends an archive in parts and has a project made of it; gives the project's id. */
export function useImportArchive() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: async (request: ImportArchive) => {
      const waiting = await waitingProject(request)
      const upload = await sent(waiting.dataset, request)
      const { project, job } = await data(api.POST('/api/labeling/archives', { body: { dataset: waiting.dataset, upload } }))
      await ended(job, request)
      return project
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  })
}

/** An import of the same file that was broken off is gone on with. */
async function waitingProject({ workspace, name, task }: ImportArchive) {
  const projects = await data(api.GET('/api/projects', { params: { query: { workspace, limit: 100 } } }))
  const broken = projects.items.find((project) => project.name === name && project.counts.items === 0)
  return broken ?? data(api.POST('/api/projects', { body: { workspace, name, description: '', task, task_options: {} } }))
}

async function sent(dataset: string, { file, signal, onProgress }: ImportArchive): Promise<string> {
  const path = { dataset }
  const known = await data(api.GET('/api/datasets/{dataset}/uploads', { params: { path, query: { limit: 100 } } }))
  const broken = known.items.find((one) => one.state === 'receiving' && one.name === file.name && one.size_bytes === file.size)
  const body = { name: file.name, size_bytes: file.size, kind: 'archive' as const, relative_path: '' }
  let upload: Upload = broken ?? (await data(api.POST('/api/datasets/{dataset}/uploads', { params: { path }, body })))
  let tries = 0
  while (upload.received_bytes < file.size) {
    const offset = upload.received_bytes
    onProgress({ stage: 'sending', fraction: offset / file.size })
    try {
      const part = file.slice(offset, offset + upload.part_bytes)
      upload = await send<Upload>(`/api/datasets/${dataset}/uploads/${upload.id}/parts?offset=${offset}`, {
        method: 'PUT',
        body: part,
        signal,
      })
      tries = 0
    } catch (error) {
      tries += 1
      if (signal.aborted || !(error instanceof ApiError) || error.status !== 0 || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * tries))
    }
  }
  return upload.id
}

async function ended(started: Job, { signal, onProgress }: ImportArchive): Promise<void> {
  let job = started
  while (['queued', 'leased', 'running'].includes(job.state)) {
    onProgress({ stage: 'reading', fraction: job.progress_fraction })
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    signal.throwIfAborted()
    job = await data(api.GET('/api/jobs/{job_id}', { params: { path: { job_id: job.id } }, signal }))
  }
  if (job.state !== 'succeeded') throw new Error(job.error?.message ?? job.state)
}

import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { UploadQueue } from '../model/upload-queue'
import { refreshItems } from './change-items'
import { uploadsKey } from './get-uploads'
import { uploadTransport } from './upload-transport'

/** One queue a dataset for as long as the tab lives: sending goes on while other pages are looked at. */
const queues = new Map<string, UploadQueue>()

export function useUploadQueue(project: string, dataset: string) {
  const queries = useQueryClient()
  let queue = queues.get(dataset)
  if (!queue) {
    queue = new UploadQueue(uploadTransport(dataset), () => {
      void queries.invalidateQueries({ queryKey: uploadsKey(dataset) })
      void refreshItems(queries, project, dataset)
    })
    queues.set(dataset, queue)
  }
  return { queue, snapshot: useSyncExternalStore(queue.subscribe, queue.snapshot) }
}

window.addEventListener('beforeunload', (event) => {
  if ([...queues.values()].some((queue) => queue.snapshot().is_active)) event.preventDefault()
})

import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { notifyError } from '../../../ui/notify'
import { UploadQueue } from '../model/upload-queue'
import { refreshItems } from './change-items'
import { uploadsKey } from './get-uploads'
import { uploadTransport } from './upload-transport'
import { arrivedKey } from './use-wall'

/** One queue a dataset for as long as the tab lives: sending goes on while other pages are looked at. */
const queues = new Map<string, UploadQueue>()

export function useUploadQueue(project: string, dataset: string) {
  const queries = useQueryClient()
  let queue = queues.get(dataset)
  if (!queue) {
    const made = new UploadQueue(uploadTransport(dataset), () => {
      // Where the page that shows it has been left.
      if (!made.isWatched) for (const { state, error } of made.snapshot().transfers) if (state === 'failed') notifyError(error)
      void queries.invalidateQueries({ queryKey: uploadsKey(dataset) })
      void refreshItems(queries, project, dataset)
      void queries.invalidateQueries({ queryKey: arrivedKey(dataset) })
    })
    queue = made
    queues.set(dataset, queue)
  }
  const { subscribe, snapshot } = queue
  return { queue, hasTransfers: useSyncExternalStore(subscribe, () => snapshot().transfers.length > 0) }
}

/** Where the sending stands, some times a second while it goes on: for what shows just that. */
export function useQueueSnapshot(queue: UploadQueue) {
  return useSyncExternalStore(queue.subscribe, queue.snapshot)
}

window.addEventListener('beforeunload', (event) => {
  if ([...queues.values()].some((queue) => queue.snapshot().is_active)) event.preventDefault()
})

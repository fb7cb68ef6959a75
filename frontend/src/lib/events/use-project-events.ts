/**
 * One stream of a project's events; each event makes the lists that it touches stale. Where the stream cannot be had (too many
 * viewers, a proxy that buffers), the same lists are asked for every few seconds.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { type ProjectEvent, publishEvent } from './subscriptions'

const POLL_MS = 4000
/** Bursts of events become one refresh. */
const GATHER_MS = 400

/** First word of an event's type -> first words of query keys. */
const TOUCHES: Record<string, string[]> = {
  quality: ['quality', 'items', 'summary', 'project'],
  job: ['columns', 'profile', 'quality', 'jobs', 'uploads', 'project', 'map', 'assist'],
  assist: ['assist', 'suggestions'],
  item: ['items', 'facets', 'summary', 'project', 'guide'],
  upload: ['uploads', 'items', 'summary', 'columns', 'profile'],
  columns: ['columns', 'profile', 'items', 'guide', 'project'],
  comment: ['comments'],
  annotation: ['items', 'summary', 'stats', 'guide'],
  version: ['versions', 'guide', 'project'],
  dataset: ['versions', 'items', 'summary', 'stats', 'guide', 'project', 'jobs'],
  study: ['studies', 'guide', 'project'],
  trial: ['studies'],
  artefact: ['artefacts', 'guide', 'project'],
  deployment: ['deployments', 'guide', 'project'],
  prediction: ['deployments', 'guide', 'predictions'],
  export: ['exports'],
  device: ['devices'],
  project: ['project', 'projects', 'guide'],
}

/** Events with the ids of changed or added items: galleries subscribe to them directly. */
const ITEM_EVENTS = new Set(['item.changed', 'item.ingested', 'annotation.saved'])

export function touchedBy(type: string): string[] {
  return TOUCHES[type.split('.')[0] ?? ''] ?? []
}

export function useProjectEvents(project: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const waiting = new Set<string>()
    let gathering: ReturnType<typeof setTimeout> | undefined
    let polling: ReturnType<typeof setInterval> | undefined
    const refresh = () => {
      gathering = undefined
      for (const key of waiting) void queries.invalidateQueries({ queryKey: [key] })
      waiting.clear()
    }
    const take = (keys: string[]) => {
      keys.forEach((key) => waiting.add(key))
      gathering ??= setTimeout(refresh, GATHER_MS)
    }
    const stream = new EventSource(`/api/projects/${project}/events`)
    stream.onopen = () => {
      // Events in between were missed.
      if (polling !== undefined) take(Object.values(TOUCHES).flat())
      clearInterval(polling)
      polling = undefined
    }
    stream.onmessage = (message) => {
      const event = JSON.parse(message.data as string) as ProjectEvent
      publishEvent(event)
      take(touchedBy(event.type).filter((key) => key !== 'items' || !ITEM_EVENTS.has(event.type)))
    }
    stream.onerror = () => {
      clearInterval(polling)
      polling = setInterval(() => take(Object.values(TOUCHES).flat()), POLL_MS)
    }
    return () => {
      stream.close()
      clearTimeout(gathering)
      clearInterval(polling)
    }
  }, [project, queries])
}

/** For those who need an event itself and not only fresh lists: what the project's one stream brings, told to all who listen. */
import { useEffect, useRef } from 'react'

export interface ProjectEvent {
  type: string
  subject: string
  data: Record<string, unknown>
}

const listeners = new Set<(event: ProjectEvent) => void>()

export function tellEvent(event: ProjectEvent): void {
  for (const listener of listeners) listener(event)
}

/** Listens while the component is there. */
export function useEventsHeard(listener: (event: ProjectEvent) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const take = (event: ProjectEvent) => latest.current(event)
    listeners.add(take)
    return () => {
      listeners.delete(take)
    }
  }, [])
}

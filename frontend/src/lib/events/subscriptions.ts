/** The events of a project as they come, for what is too large to be read anew as a whole. */

export interface ProjectEvent {
  type: string
  subject: string
  data: Record<string, unknown>
}

type Listener = (event: ProjectEvent) => void

const listeners = new Set<Listener>()

/** Hears each event of the project that is open; returns how to stop. */
export function onProjectEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Passes an event on to all who hear. */
export function publishEvent(event: ProjectEvent): void {
  listeners.forEach((listener) => listener(event))
}

import { useEffect, useRef } from 'react'

import { onProjectEvent, type ProjectEvent } from '../../../lib/events/use-project-events'

/** Hears a project's events while the component is there. */
export function useProjectEvent(project: string, listener: (event: ProjectEvent) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onProjectEvent(project, (event) => latest.current(event)), [project])
}

import { useEffect, useRef } from 'react'

import { onProjectEvent, type ProjectEvent } from '../../../lib/events/subscriptions'

/** Hears the events of the project that is open while the component is there. */
export function useProjectEvent(listener: (event: ProjectEvent) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onProjectEvent((event) => latest.current(event)), [])
}

import { useEffect, useState } from 'react'

/** The time, updated every `every_ms`; null stops the clock. For elapsed times that no event updates. */
export function useNow(every_ms: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (every_ms === null) return
    const timer = setInterval(() => setNow(Date.now()), every_ms)
    return () => clearInterval(timer)
  }, [every_ms])
  return now
}

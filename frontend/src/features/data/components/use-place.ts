import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

interface PlaceOptions {
  /** Where the keys acted before a reload or on the way back. */
  at: number
  /** Items that are known so far. */
  total: number
  /** Where the keys act. */
  place: number
  go: (place: number) => void
  onAt: (place: number) => void
}

/** Restores a position as soon as it is known, and reports each that the keys reach. */
export function usePlace({ at, total, place, go, onAt }: PlaceOptions): void {
  const isBack = useRef(at === 0)
  const back = useEffectEvent(() => go(at))
  const report = useEffectEvent(() => onAt(place))
  useEffect(() => {
    if (isBack.current || total <= at) return
    isBack.current = true
    back()
  }, [at, total])
  // In the same step as the address, which is written before the page is painted.
  useLayoutEffect(() => {
    if (isBack.current) report()
  }, [place])
}

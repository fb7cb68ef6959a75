import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'

import { NOTHING, type Selection } from '../model/selection'
import { type HistoryState, type Standing, standingOf, withStanding } from '../model/standing'

/**
 * What is selected and where the keys act, kept in the address. It is written past the router: nothing else hangs on it, and the page
 * would be drawn anew at every step.
 */
export function useStanding() {
  const location = useLocation()
  const [standing, set] = useState<Standing>(() =>
    standingOf(new URLSearchParams(window.location.search), location.state as HistoryState | null),
  )
  // Before the page is painted: who reloads when they see it, comes back to what they saw.
  useLayoutEffect(() => {
    // Where the page has been left, the address is another's.
    if (window.location.pathname !== location.pathname) return
    const { search, state: added } = withStanding(new URLSearchParams(window.location.search), standing)
    const state = window.history.state as { usr?: object | null } | null
    const query = search.toString()
    try {
      window.history.replaceState({ ...state, usr: added }, '', query ? `?${query}` : window.location.pathname)
    } catch {
      // Browsers limit the rate of these calls; the next one catches up.
    }
  }, [standing, location])
  return {
    ...standing,
    setSelection: (after: Selection | ((now: Selection) => Selection)) =>
      set((now) => ({ ...now, selection: typeof after === 'function' ? after(now.selection) : after })),
    setAt: (at: number) => set((now) => (now.at === at ? now : { ...now, at })),
    discuss: (discussed: string | null) => set((now) => ({ ...now, discussed })),
    /** Another filter shows other items. */
    leave: () => set({ selection: NOTHING, at: 0, discussed: null }),
  }
}

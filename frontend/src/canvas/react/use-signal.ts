import { useSyncExternalStore } from 'react'

import type { Signal } from '../signal'

/** Renders the component again whenever one of the signals changes. */
export function useSignal(...signals: Signal[]): void {
  const subscribe = (listener: () => void) => {
    const offs = signals.map((signal) => signal.subscribe(listener))
    return () => offs.forEach((off) => off())
  }
  useSyncExternalStore(subscribe, () => signals.reduce((sum, signal) => sum + signal.version, 0))
}

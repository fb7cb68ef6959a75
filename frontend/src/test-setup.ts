import 'fake-indexeddb/auto'

import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, afterEach, vi } from 'vitest'

afterEach(cleanup)

// What a file leaves is nobody else's: all share one page.
afterAll(() => {
  notifications.clean()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  globalThis.indexedDB = new IDBFactory()
  history.replaceState(null, '', '/')
})

// How long a page takes is a matter of the machine, never of what is tested.
configure({ asyncUtilTimeout: 20_000 })

// What jsdom lacks and Mantine asks for.
window.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

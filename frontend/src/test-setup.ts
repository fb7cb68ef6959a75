import 'fake-indexeddb/auto'

import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

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

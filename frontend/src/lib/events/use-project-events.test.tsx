import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

import { useProjectEvents } from './use-project-events'

afterEach(() => vi.unstubAllGlobals())

it('asks for everything once more when the stream is back: events in between were missed', async () => {
  const streams: { onopen: () => void; onerror: () => void }[] = []
  vi.stubGlobal(
    'EventSource',
    class {
      onopen = () => undefined
      onerror = () => undefined
      constructor() {
        streams.push(this)
      }
      close = () => undefined
    },
  )
  const client = new QueryClient()
  client.setQueryData(['summary', 'dst_1'], {})
  const isStale = () => client.getQueryState(['summary', 'dst_1'])?.isInvalidated
  const { unmount } = renderHook(() => useProjectEvents('prj_1'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  streams[0]?.onopen()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(isStale()).toBe(false)
  streams[0]?.onerror()
  streams[0]?.onopen()
  await waitFor(() => expect(isStale()).toBe(true))
  unmount()
})

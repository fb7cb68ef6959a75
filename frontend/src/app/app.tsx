import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'

import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'

import { ApiError } from '../lib/api/errors'
import { router } from './router'
import { theme } from './theme'

/** What the server refused stays refused; only a lost connection and the server's own faults are tried again. */
function isWorthRetrying(count: number, error: unknown): boolean {
  return count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500)
}

const queries = new QueryClient({
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000, refetchOnWindowFocus: 'always' }, mutations: { retry: false } },
})

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

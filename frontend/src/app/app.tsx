import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'

import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'

import { Notices } from './notices'
import { newQueryClient } from './queries'
import { router } from './router'
import { cssVariables, theme } from './theme'

const queries = newQueryClient()

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <RouterProvider router={router} />
          <Notices />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

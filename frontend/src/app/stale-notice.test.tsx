import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { newQueryClient } from './queries'
import { StaleNotice } from './stale-notice'

/** A page whose data the server returns until it is switched off. */
function open() {
  const client = newQueryClient()
  const server: { answer: string | ApiError } = { answer: 'one' }
  const Page = () => {
    const query = useQuery({
      queryKey: ['page'],
      queryFn: () => (server.answer instanceof ApiError ? Promise.reject(server.answer) : Promise.resolve(server.answer)),
    })
    return <p>{query.isLoadingError ? 'cannot be shown' : (query.data ?? 'loading')}</p>
  }
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <StaleNotice />
        <Page />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { server, refresh: () => client.invalidateQueries({ queryKey: ['page'] }) }
}
const failed = (status: number) => new ApiError(status, 'failed', 'No answer', '', '')
const notice = () => screen.queryByRole('button', { name: 'Not up to date' })

it('shows that what is shown is not up to date, leaves it, and goes when a new try has gone through', async () => {
  const { server, refresh } = open()
  await screen.findByText('one')
  expect(notice()).toBeNull()
  server.answer = failed(409)
  await refresh()
  await waitFor(() => expect(notice()).not.toBeNull())
  expect(screen.queryByText('one')).not.toBeNull()
  server.answer = 'two'
  await userEvent.click(notice() as HTMLElement)
  await screen.findByText('two')
  await waitFor(() => expect(notice()).toBeNull())
})

it.each([403, 404])('shows no longer what answers with %i: it is gone, or not for these eyes', async (status) => {
  const { server, refresh } = open()
  await screen.findByText('one')
  server.answer = failed(status)
  await refresh()
  await screen.findByText('cannot be shown')
  expect(notice()).toBeNull()
})
